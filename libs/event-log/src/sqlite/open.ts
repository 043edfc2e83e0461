import { closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Duration, type EventLog, SECOND } from '#kernel';
import { patientlySync, unavailable } from './busy.js';
import { ensureSchema } from './schema.js';
import { SqliteEventLog } from './sqlite-event-log.js';

export interface SqliteEventLogOptions {
  /** Made with its directory where it is missing. Two more files stand beside it, `-wal` and `-shm`. */
  readonly file: string;
  /** How long work is tried again while other processes hold the database, 5 s where it is left out. */
  readonly busyFor?: Duration;
  /** How often a waiting follower looks for events of other processes, 25 ms where it is left out. */
  readonly pollEvery?: Duration;
}

/** How long SQLite itself may block the event loop for a lock that another process is about to give back. */
const BLOCKING: Duration = 10;

/** Pages of 8 KiB hold ten events of common size: a tenth less file than with 4 KiB, and a tenth less time to replay. */
const SETTINGS = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -16384;
  PRAGMA journal_size_limit = 67108864;`;

/**
 * Opens, or makes, an event log in one file of this machine's disk (not a network's). Any number of processes may have
 * it open and append. Throws `StoreUnavailable`.
 */
export function openSqliteEventLog({ file, busyFor = 5 * SECOND, pollEvery = 25 }: SqliteEventLogOptions): EventLog {
  try {
    makePrivateFile(file);
    const db = new DatabaseSync(file, { timeout: BLOCKING, enableForeignKeyConstraints: false });
    try {
      // The first to open settles the file's layout and makes the tables, with the others waiting at the door.
      patientlySync(() => db.exec(SETTINGS), busyFor);
      patientlySync(() => ensureSchema(db), busyFor);
      return new SqliteEventLog(db, { busyFor, pollEvery });
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw unavailable(error);
  }
}

/** It holds personal data; SQLite gives the files beside it the same mode. */
function makePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  // Opened by none but SQLite once it exists: closing a second handle would drop the locks of this process.
  if (existsSync(file)) return;
  closeSync(openSync(file, constants.O_CREAT, 0o600));
}
