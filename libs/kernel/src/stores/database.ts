import { DatabaseSync } from 'node:sqlite';
import type { Duration } from '../instant.js';
import { retryWhileBusySync } from './busy-database.js';
import { requireFile } from './database-for-reading.js';
import { ensurePrivateFile } from './private-file.js';

export interface DatabaseSettings {
  /** How long a statement may block its thread to wait for other processes. */
  readonly blocksFor: Duration;
  /** How long opening is repeated while other processes hold the file. */
  readonly busyFor: Duration;
  /** Of a new file. */
  readonly pageBytes: number;
  readonly synchronous: 'FULL' | 'NORMAL';
  /**
   * What the write-ahead log keeps of its size once its content is in the file. Without a limit it stays as large as a
   * long reader, such as a backup, has let it grow.
   */
  readonly journalBytes: number;
  /** Further settings, such as `secure_delete = ON`. */
  readonly pragmas?: readonly string[];
}

/**
 * Opens, or creates, a database with a write-ahead log that only its owner may read, for any number of processes of one
 * machine. Closes it again if `use` throws.
 */
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

/**
 * To write, the task is the only writer, in this process and in others, and is done completely or not at all. To read, it
 * sees one state of the file.
 */
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
