import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;
const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** The key that a text holds, or undefined where it is not 32 bytes in base64. */
export const parseMasterKey = (text: string): Buffer | undefined =>
  BASE64_OF_32_BYTES.test(text) ? Buffer.from(text, 'base64') : undefined;

/** The key that all processes over this data directory share; made by the first of them. */
export const storedMasterKey = (dataDir: string): Buffer => {
  const file = join(dataDir, 'master.key');
  const stored = read(file) ?? make(dataDir, file);
  const key = parseMasterKey(stored.trim());
  if (key === undefined) throw new Error(`${file} does not hold 32 bytes in base64`);
  return key;
};

/** A key for one purpose, which tells nothing of the master key or of those for others. */
export const derivedKey = (masterKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', purpose, KEY_BYTES));

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** Complete under another name first, so that of several processes one wins and no one reads half a key. */
const make = (dataDir: string, file: string): string => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  writeDurably(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  try {
    linkSync(draft, file);
    syncDirectory(dataDir);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
};

const writeDurably = (file: string, text: string): void => {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

const syncDirectory = (directory: string): void => {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

const isCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;
