import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/** SQLite creates these files with the mode of the database, but does not change the mode of existing ones. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/**
 * Creates a missing file, and lets only its owner read it and the files that SQLite adds to it, with any umask (D71). An
 * existing file is not opened, because closing a second handle would release the locks that SQLite holds on it in this
 * process.
 */
export const ensurePrivateFile = (file: string): void => {
  if (!existsSync(file)) createEmpty(file);
  for (const suffix of SUFFIXES) if (existsSync(file + suffix)) restrict(file + suffix);
};

const createEmpty = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    // Another process has created it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
};

const restrict = (file: string): void => {
  try {
    chmodSync(file, OWNER_ONLY);
  } catch (error) {
    // SQLite has removed the file since the check.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
};

/** As in `node-error.ts`. The spec runs this file in a separate process, so it imports nothing of the project. */
const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
