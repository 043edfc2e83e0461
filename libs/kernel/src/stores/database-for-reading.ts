import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreUnavailable } from './event-log.js';
import { errcodeOf } from './node-error.js';

const BUSY_TIMEOUT = 1_000;
/** For example where SQLite may not create its files next to the database. */
const CANNOT_OPEN = 14;

/**
 * Opens an SQLite file that is only read, such as a copy. `probe` is a statement that any file of this kind answers.
 * A read-only medium has no room for the files that SQLite adds; there it is opened without its write-ahead log, so it
 * is refused if that holds something: events would be missing without a word.
 */
export const openDatabaseForReading = (file: string, probe: string): DatabaseSync => {
  try {
    return open(file, probe);
  } catch (error) {
    if (errcodeOf(error) !== CANNOT_OPEN || !existsSync(file)) throw error;
    const log = `${file}-wal`;
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0) {
      throw new StoreUnavailable(
        `${log} may hold what ${file} lacks, and cannot be read where nothing can be written: copy both files into ` +
          'another folder, and read them there',
        { cause: error },
      );
    }
    const copy = pathToFileURL(file);
    copy.searchParams.set('immutable', '1');
    try {
      return open(copy, probe);
    } catch {
      throw error;
    }
  }
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
