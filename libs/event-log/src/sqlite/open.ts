import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Caches } from '#kernel';
import { type Duration, type EventLog, ensurePrivateFile, SECOND } from '#kernel/ports';
import { AppendThread } from './append-thread.js';
import { patientlySync, unavailable } from './busy.js';
import { connected } from './connection.js';
import { ensureSchema } from './schema.js';
import { SqliteEventLog } from './sqlite-event-log.js';

export interface SqliteEventLogOptions {
  /** Made with its directory where it is missing. Two more files stand beside it, `-wal` and `-shm`. */
  readonly file: string;
  /** How long work is tried again while other processes hold the database, 5 s where it is left out. */
  readonly busyFor?: Duration;
  /** How often a waiting follower looks for events of other processes, 25 ms where it is left out. */
  readonly pollEvery?: Duration;
  readonly caches?: Caches;
}

/** Most of what is read is read once; what is not, the machine remembers. */
const CACHE_KIB = 4 * 1024;

/**
 * Opens, or makes, an event log in one file of this machine's disk (not a network's). Any number of processes may have
 * it open and append. Throws `StoreUnavailable`.
 */
export function openSqliteEventLog({
  file,
  busyFor = 5 * SECOND,
  pollEvery = 25,
  caches = Caches.ON,
}: SqliteEventLogOptions): EventLog {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    ensurePrivateFile(file);
    return connected(file, busyFor, CACHE_KIB, (db) => {
      patientlySync(() => ensureSchema(db), busyFor);
      return new SqliteEventLog(
        db,
        new AppendThread({ file, busyFor, caches: caches.areOn }),
        { busyFor, pollEvery },
        caches,
      );
    });
  } catch (error) {
    throw unavailable(error);
  }
}
