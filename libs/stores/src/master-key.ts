import { hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseMasterKey } from '#configuration';
import { DATA_FILES, MissingKeys } from '#kernel';
import { existingMasterKeyText, masterKeyText, readKeyFile } from './master-key-file.js';

const KEY_BYTES = 32;

/** The key that all processes over this data directory share; the first of them creates it. */
export const storedMasterKey = (dataDir: string): Buffer => {
  const file = fileIn(dataDir);
  return parsed(file, masterKeyText(file));
};

/** The same key, which is not created; undefined without a file. */
const foundMasterKey = (dataDir: string): Buffer | undefined => {
  const file = fileIn(dataDir);
  const text = existingMasterKeyText(file);
  return text === undefined ? undefined : parsed(file, text);
};

/** The same in a backup, whose modes do not matter (D106). */
export const parsedKeyIn = (folder: string): Buffer | undefined => {
  const file = fileIn(folder);
  const text = readKeyFile(file);
  return text === undefined ? undefined : parsed(file, text.trim());
};

/** It creates no key next to a copied log. Without a file it is a random key, which decrypts nothing. */
export const readersMasterKey = (dataDir: string): Buffer => foundMasterKey(dataDir) ?? randomBytes(KEY_BYTES);

/**
 * The key for a process that serves or writes. Only a new installation gets one that is generated: next to data of a lost
 * key, a new file would hide that the right one has to be restored. Then it is the key of a process that only reads.
 */
export const servingMasterKey = async (dataDir: string, isNew: () => Promise<boolean>): Promise<Buffer> =>
  // Another process may have created the file, and then what is encrypted, since the first look.
  foundMasterKey(dataDir) ?? ((await isNew()) ? storedMasterKey(dataDir) : readersMasterKey(dataDir));

/**
 * The key that verifies the seals of an existing log, as a new one would verify none. Throws `MissingKeys`; the hint names
 * what the caller accepts instead of the file.
 */
export const existingMasterKey = (dataDir: string, hint = ''): Buffer => {
  const key = foundMasterKey(dataDir);
  if (key !== undefined) return key;
  throw new MissingKeys(`${dataDir} has no master.key: set DATA_DIR or MASTER_KEY as for the service${hint}`);
};

const fileIn = (dataDir: string): string => join(dataDir, DATA_FILES.masterKey);

const parsed = (file: string, text: string): Buffer => {
  const key = parseMasterKey(text);
  if (key !== undefined) return key;
  // D107: a Latin letter in UTF-16 has a zero for one of its bytes.
  throw new Error(
    `${file} ${text.includes('\0') ? 'is UTF-16: save it as UTF-8' : 'does not hold 32 bytes in base64'}`,
  );
};

/** A key for one purpose. It reveals neither the master key nor the keys for other purposes. */
export const derivedKey = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', purpose, KEY_BYTES));
