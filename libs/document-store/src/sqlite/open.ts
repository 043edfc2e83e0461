import { Caches, type Checkpoint, openCopyForReading } from '#kernel';
import type { DocumentStore } from '#kernel/ports';
import { readCheckpoint } from './claims.js';
import { Connection, connected } from './connected.js';
import { Counters } from './counters.js';
import { createOwnTables } from './schema.js';
import { SqliteDocumentStore } from './sqlite-document-store.js';
import { asStoreError } from './sqlite-error.js';

export interface SqliteDocumentStoreOptions {
  /** Created if missing; its directory must exist. Counters are in a second file, with `-counters` after the name. */
  readonly file: string;
  readonly caches?: Caches;
}

const CACHE_KIB = 4 * 1024;

/**
 * The embedded document store: an SQLite file, and one for counters. Several processes of one machine may open them.
 * Writes survive the end of the process immediately, and a power failure after the next WAL checkpoint; a read model
 * loses nothing, because its checkpoint is lost with it. Throws `StoreUnavailable` if the file cannot be opened.
 */
export const openSqliteDocumentStore = ({ file, caches = Caches.ON }: SqliteDocumentStoreOptions): DocumentStore => {
  try {
    return connected(file, { cacheKib: CACHE_KIB, caches: caches.areOn }, (connection) => {
      connection.writing(() => createOwnTables(connection, file));
      return new SqliteDocumentStore(connection, new Counters(`${file}-counters`), file, caches.areOn);
    });
  } catch (error) {
    throw asStoreError(error, file);
  }
};

export const readSqliteCheckpoints = (file: string, runners: readonly string[]): readonly Checkpoint[] => {
  try {
    const connection = new Connection(openCopyForReading(file, 'SELECT 1 FROM sqlite_schema'), false);
    try {
      // Files of older versions name no events.
      if (connection.texts('SELECT name FROM sqlite_schema WHERE name = ?', '_positions').length === 0) return [];
      return runners.map((runner) => readCheckpoint(connection, runner)).filter((found) => found !== undefined);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw asStoreError(error, file);
  }
};
