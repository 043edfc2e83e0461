import { dirname } from 'node:path';
import { Caches } from '#kernel';
import { type Duration, type EventLog, ensurePrivateFolder, retryWhileBusySync, SECOND } from '#kernel/ports';
import { connected, unavailable } from './connection.js';
import { ensureSchema } from './schema.js';
import { appendWriter, SqliteEventLog } from './sqlite-event-log.js';

export interface SqliteEventLogOptions {
  /** Created with its directory if missing. SQLite adds two files, `-wal` and `-shm`. */
  readonly file: string;
  /** How long work is repeated while other processes hold the lock; 5 s by default. */
  readonly busyFor?: Duration;
  /** How often followers look for events of other processes whose commit the file system did not report; 250 ms by default. */
  readonly pollEvery?: Duration;
  readonly caches?: Caches;
}

/** Small, because most pages are read once, and the operating system caches the file. */
const CACHE_KIB = 4 * 1024;

/** A file on a local disk, for any number of processes. Throws `StoreUnavailable`. */
export function openSqliteEventLog({
  file,
  busyFor = 5 * SECOND,
  pollEvery = 250,
  caches = Caches.ON,
}: SqliteEventLogOptions): EventLog {
  try {
    ensurePrivateFolder(dirname(file));
    return connected(file, busyFor, CACHE_KIB, (db) => {
      retryWhileBusySync(() => ensureSchema(db), busyFor);
      return new SqliteEventLog(db, file, appendWriter({ file, busyFor }), { busyFor, pollEvery }, caches);
    });
  } catch (error) {
    throw unavailable(error, file);
  }
}
