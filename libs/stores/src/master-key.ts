import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseMasterKey } from '#configuration';
import { DATA_FILES, ensurePrivateFolder, MissingKeys, syncToDisk } from '#kernel';
import { codeOf } from '#kernel/ports';

const KEY_BYTES = 32;

/** The key that all processes over this data directory share; the first of them creates it. */
export const storedMasterKey = (dataDir: string): Buffer => {
  const found = foundMasterKey(dataDir);
  if (found !== undefined) return found;
  makeKeyFile(fileIn(dataDir));
  return storedMasterKey(dataDir);
};

/** The same key, which is not created; undefined without a file. */
const foundMasterKey = (dataDir: string): Buffer | undefined => {
  const file = fileIn(dataDir);
  const text = readKeyFile(file);
  if (text === undefined) return undefined;
  refuseReadableByOthers(file);
  return parsed(file, text);
};

/** The same in a backup, whose modes do not matter (D106). */
export const parsedKeyIn = (folder: string): Buffer | undefined => {
  const file = fileIn(folder);
  const text = readKeyFile(file);
  return text === undefined ? undefined : parsed(file, text);
};

/** It creates no key next to a copied log. Without a file it is a random key, which decrypts nothing. */
export const readersMasterKey = (dataDir: string): Buffer => foundMasterKey(dataDir) ?? randomBytes(KEY_BYTES);

/** Only a new installation gets a generated key: next to data of a lost key, it would hide that the right one is missing. */
export const servingMasterKey = async (dataDir: string, isNew: () => Promise<boolean>): Promise<Buffer> =>
  // Another process may have created the file, and then what is encrypted, since the first look.
  foundMasterKey(dataDir) ?? ((await isNew()) ? storedMasterKey(dataDir) : readersMasterKey(dataDir));

/** Throws `MissingKeys`; the hint names what the caller accepts instead of the file. */
export const existingMasterKey = (dataDir: string, hint = ''): Buffer => {
  const key = foundMasterKey(dataDir);
  if (key !== undefined) return key;
  throw new MissingKeys(`${dataDir} has no master.key: set DATA_DIR or MASTER_KEY as for the service${hint}`);
};

const fileIn = (dataDir: string): string => join(dataDir, DATA_FILES.masterKey);

const parsed = (file: string, text: string): Buffer => {
  const key = parseMasterKey(text.trim());
  if (key !== undefined) return key;
  // D107: a Latin letter in UTF-16 has a zero for one of its bytes.
  throw new Error(
    `${file} ${text.includes('\0') ? 'is UTF-16: save it as UTF-8' : 'does not hold 32 bytes in base64'}`,
  );
};

/** D71: a key that other users of the machine could have read protects nothing. */
const refuseReadableByOthers = (file: string): void => {
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  throw new Error(`${file} can be read by others (mode ${mode.toString(8)}); run chmod 600 on it, or replace the key`);
};

const readKeyFile = (file: string): string | undefined => {
  try {
    // A read of a pipe would wait forever.
    if (statSync(file).isFile()) return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) !== 'EACCES') throw error;
    const who = `this process, which runs as the user id ${process.geteuid?.()}`;
    throw new Error(`${file} cannot be read by ${who}: run it as the owner of the file, or change the owner`);
  }
  throw new Error(`${file} is not a file, but a folder, a pipe, a socket or a device`);
};

/** Complete under another name first, so that one of several processes wins and none reads half a key. */
const makeKeyFile = (file: string): void => {
  ensurePrivateFolder(dirname(file));
  const draft = `${file}.${randomUUID()}`;
  const text = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
    syncToDisk(dirname(file));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
};

export const derivedKey = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', purpose, KEY_BYTES));
