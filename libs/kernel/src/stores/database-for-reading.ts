import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { StoreUnavailable } from './event-log.js';
import { errcodeOf, messageOf } from './node-error.js';
import { damageOfWriteAheadLog } from './write-ahead-log.js';

const BUSY_TIMEOUT = 1_000;
/** For example where SQLite may not create its files next to the database. */
const CANNOT_OPEN = 14;

/**
 * Opens an SQLite file that is only read, although other processes may write to it. `probe` is a statement that any file
 * of this kind answers.
 */
export const openDatabaseForReading = (file: string, probe: string): DatabaseSync => {
  requireFile(file);
  try {
    return open(file, probe);
  } catch (error) {
    if (errcodeOf(error) !== CANNOT_OPEN || !existsSync(file)) throw error;
    return openCopyForReading(file, probe);
  }
};

/**
 * D107: opens a copy, such as a backup, and changes neither it nor its folder. SQLite would add its own files to a
 * database with a write-ahead log; without them it reads only what is in the file itself. A damaged write-ahead log is
 * refused, unless the caller says itself what is lost (`damageOfCopy`).
 */
export const openCopyForReading = (
  file: string,
  probe: string,
  damage: 'is refused' | 'is left out' = 'is refused',
): DatabaseSync => {
  requireFile(file);
  if (damage === 'is refused') refuseDamagedCopy(file);
  if (ADDED.some((suffix) => sizeOf(file + suffix) > 0)) return openThroughCopy(file, probe);
  const unchanging = pathToFileURL(file);
  unchanging.searchParams.set('immutable', '1');
  return open(unchanging, probe);
};

/** SQLite would not only leave it out: where it may write, it removes the damaged write-ahead log. */
export const refuseDamagedCopy = (file: string): void => {
  const fault = damageOfCopy(file);
  if (fault === undefined) return;
  throw new StoreUnavailable(
    `${fault}, so that what only it holds is lost. Take another backup or copy; or, if that may be lost, move it away`,
  );
};

/** Says what SQLite would leave out of the write-ahead log next to a file; undefined if it reads all of it. */
export const damageOfCopy = (file: string): string | undefined => {
  if (!existsSync(`${file}-wal`)) return undefined;
  requireFile(`${file}-wal`);
  const damage = damageOfWriteAheadLog(`${file}-wal`);
  return damage && `${file}-wal cannot be read: ${damage}`;
};

/** A pipe would be waited for without an end. */
export const requireFile = (path: string): void => {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new StoreUnavailable(`${path} is not a file, but a folder, a pipe, a socket or a device`);
};

/** What SQLite keeps next to a database that is open, or that was copied while it was. */
const ADDED = ['-wal', '-shm'];

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The private copy has no name any more when this returns, and is gone when it is closed. */
const openThroughCopy = (file: string, probe: string): DatabaseSync => {
  const folder = mkdtempSync(join(tmpdir(), `for-reading-${process.pid}-`));
  try {
    const copy = join(folder, 'copy.db');
    copyBoth(file, copy);
    return open(copy, probe);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const copyBoth = (file: string, copy: string): void => {
  const suffixes = ['', '-wal'].filter((suffix) => existsSync(file + suffix));
  const state = () =>
    suffixes.map((suffix) => statSync(file + suffix, { bigint: true })).flatMap(({ size, mtimeNs }) => [size, mtimeNs]);
  const before = state();
  try {
    for (const suffix of suffixes) {
      copyFileSync(file + suffix, copy + suffix);
      chmodSync(copy + suffix, 0o600);
    }
  } catch (cause) {
    throw new StoreUnavailable(`${file} could not be copied to be read: ${messageOf(cause)}`, { cause });
  }
  if (isDeepStrictEqual(state(), before)) return;
  throw new StoreUnavailable(`${file} is written to by another process: take a backup of it, and read that`);
};

const open = (location: string | URL, probe: string): DatabaseSync => {
  const db = new DatabaseSync(location, { readOnly: true, timeout: BUSY_TIMEOUT });
  try {
    db.prepare(probe).get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};
