import { chmodSync, chownSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { codeOf } from './node-error.js';

const OWNER_ONLY = 0o600;
const ROOT = 0;

/** SQLite creates these files with the mode of the database, but does not change the mode of existing ones. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/**
 * Lets only its owner read a file and those that SQLite adds to it, with any umask (D71). An existing file is not opened,
 * because closing a second handle would release the locks that SQLite holds on it in this process.
 */
export const ensurePrivateFile = (file: string): void => {
  try {
    if (!existsSync(file)) createEmpty(file);
    for (const suffix of SUFFIXES) if (existsSync(file + suffix)) restrict(file + suffix);
  } catch (error) {
    if (!['EPERM', 'EACCES'].includes(String(codeOf(error)))) throw error;
    throw new Error(`${file} cannot be opened: ${foreignTo(existsSync(file) ? file : dirname(file))}`, {
      cause: error,
    });
  }
};

/** Also creates the missing folders above it. */
export const ensurePrivateFolder = (folder: string): void => {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  let created = first;
  giveToOwnerOf(dirname(first), created);
  for (const name of relative(first, folder).split(sep).filter(Boolean)) {
    created += sep + name;
    giveToOwnerOf(dirname(first), created);
  }
};

/** D106: files that root creates for another user belong to that user, who could not open them otherwise. */
export const giveToOwnerOf = (folder: string, path: string): void => {
  if (process.geteuid?.() !== ROOT) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
};

/** Says who owns the path, and what to do if that is not the user of this process. */
export const foreignTo = (path: string): string => {
  const owner = statSync(path, { throwIfNoEntry: false });
  const own = process.geteuid?.();
  return `${path} belongs to the user id ${owner?.uid}, and this process runs as the user id ${own}. Run it as that user, or change the owner`;
};

/** A file's content, or the names in a folder, survive a power failure from now on. */
export const syncToDisk = (path: string): void => {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

const createEmpty = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
    giveToOwnerOf(dirname(file), file);
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
