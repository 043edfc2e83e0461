import { DatabaseSync } from 'node:sqlite';
import type { Duration } from '../instant.js';
import { retryWhileBusySync } from './busy-database.js';
import { requireFile } from './database-for-reading.js';
import { ensurePrivateFile } from './private-file.js';

export interface DatabaseSettings {
  /** How long a statement may block its thread to wait for other processes. */
  readonly blocksFor: Duration;
  readonly busyFor: Duration;
  /** The page size of a new file. */
  readonly pageBytes: number;
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Without it, the write-ahead log stays as large as a long reader, such as a backup, has let it grow. */
  readonly journalBytes: number;
  readonly pragmas?: readonly string[];
}

/** Any number of processes of one machine may open the file, which only its owner may read. */
export const openDatabase = <T>(file: string, settings: DatabaseSettings, use: (database: DatabaseSync) => T): T => {
  requireFile(file);
  ensurePrivateFile(file);
  const database = new DatabaseSync(file, { timeout: settings.blocksFor, enableForeignKeyConstraints: false });
  try {
    // SQLite does not wait when two processes switch a new file to WAL concurrently.
    retryWhileBusySync(() => database.exec(pragmasOf(settings)), settings.busyFor);
    return use(database);
  } catch (error) {
    database.close();
    throw error;
  }
};

export const runInTransaction = <T>(database: DatabaseSync, task: () => T, to: 'write' | 'read' = 'write'): T => {
  database.exec(to === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN');
  try {
    const result = task();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
};

const pragmasOf = ({ pageBytes, synchronous, journalBytes, pragmas = [] }: DatabaseSettings): string =>
  [
    // The size of pages is fixed with the first write, which is the switch to WAL.
    `page_size = ${pageBytes}`,
    'journal_mode = WAL',
    `synchronous = ${synchronous}`,
    `journal_size_limit = ${journalBytes}`,
    ...pragmas,
  ]
    .map((pragma) => `PRAGMA ${pragma};`)
    .join('\n');
