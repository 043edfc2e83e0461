import { dirname } from 'node:path';
import { Caches } from '#kernel';
import { type Duration, type EventLog, ensurePrivateFolder, retryWhileBusySync, SECOND } from '#kernel/ports';
import { connected } from './connection.js';
import { unavailable } from './failures.js';
import { ensureSchema } from './schema.js';
import { appendWriter, SqliteEventLog } from './sqlite-event-log.js';

export interface SqliteEventLogOptions {
  /** Created with its directory if missing. SQLite adds two files, `-wal` and `-shm`. */
  readonly file: string;
  /** How long work is repeated while other processes hold the lock; 5 s by default. */
  readonly busyFor?: Duration;
  /** How often the log is polled for events of other processes while a follower waits; 25 ms by default. */
  readonly pollEvery?: Duration;
  readonly caches?: Caches;
}

/** Small, because most pages are read once, and the operating system caches the file. */
const CACHE_KIB = 4 * 1024;

/**
 * Opens, or creates, an event log in one file on a local disk (no network file system). Any number of processes may open
 * it and append. Throws `StoreUnavailable`.
 */
export function openSqliteEventLog({
  file,
  busyFor = 5 * SECOND,
  pollEvery = 25,
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
