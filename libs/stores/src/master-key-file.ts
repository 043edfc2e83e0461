import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const KEY_BYTES = 32;

/**
 * The text of the key file that all processes over this data directory share; the first of them creates it. Its specs
 * run this file in separate processes, so it imports nothing of the project.
 */
export const masterKeyText = (file: string): string => existingMasterKeyText(file) ?? checked(file, make(file));

/** The same without creating the file; undefined if it is missing. */
export const existingMasterKeyText = (file: string): string | undefined => {
  const stored = readKeyFile(file);
  return stored === undefined ? undefined : checked(file, stored);
};

const checked = (file: string, stored: string): string => {
  refuseReadableByOthers(file);
  return stored.trim();
};

/** D71: a key that other users of the machine could have read protects nothing. */
const refuseReadableByOthers = (file: string): void => {
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  throw new Error(`${file} can be read by others (mode ${mode.toString(8)}); run chmod 600 on it, or replace the key`);
};

/** Undefined if it is missing. */
export const readKeyFile = (file: string): string | undefined => {
  try {
    // A pipe would be waited for without an end.
    if (statSync(file).isFile()) return readFileSync(file, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    if (!isCode(error, 'EACCES')) throw error;
    const who = `this process, which runs as the user id ${process.geteuid?.()}`;
    throw new Error(`${file} cannot be read by ${who}: run it as the owner of the file, or change the owner`);
  }
  throw new Error(`${file} is not a file, but a folder, a pipe, a socket or a device`);
};

/** Complete under another name first, so that one of several processes wins and none reads half a key. */
const make = (file: string): string => {
  const dataDir = dirname(file);
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
