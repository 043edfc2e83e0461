import { DatabaseSync } from 'node:sqlite';
import type { Document, DocumentStore } from '#kernel';
import { indexedValue } from '../indexed-value.js';
import { Connection } from './connection.js';
import { createOwnTables, INDEXED_VALUE } from './schema.js';
import { SqliteDocumentStore } from './sqlite-document-store.js';
import { asStoreError, isBusy } from './sqlite-error.js';

export interface SqliteDocumentStoreOptions {
  /** Made where it is missing; its directory must be there. */
  readonly file: string;
}

/** How long a writer waits for the writers of other processes, in milliseconds. */
const BUSY_TIMEOUT = 5_000;
const CACHE_KIB = 32 * 1024;
const CHECKPOINT_PAGES = 5_000;
/** Twice the usual: a document of common size shares its page with ten others, and an index has half the pages. */
const PAGE_BYTES = 8_192;

/**
 * The embedded document store: one SQLite file, which several processes of this machine may have open. What was
 * written survives the end of the process at once, and a power cut from the next WAL checkpoint on; a read model loses
 * nothing by that, because its checkpoint is lost with it. Throws `StoreUnavailable` where the file can't be opened.
 */
export const openSqliteDocumentStore = ({ file }: SqliteDocumentStoreOptions): DocumentStore => {
  try {
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT });
    try {
      return new SqliteDocumentStore(prepared(database));
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw asStoreError(error);
  }
};

const prepared = (database: DatabaseSync): Connection => {
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  useWriteAheadLog(database);
  database.exec(`
    PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA cache_size = -${CACHE_KIB};
  `);
  database.function(INDEXED_VALUE, { deterministic: true, directOnly: true }, (document, field) =>
    indexedValue(JSON.parse(String(document)) as Document, String(field)),
  );
  const connection = new Connection(database);
  connection.writing(() => createOwnTables(connection));
  return connection;
};

/** SQLite does not wait for its turn where two processes turn a new file to WAL at once, so this does. */
const useWriteAheadLog = (database: DatabaseSync): void => {
  const deadline = performance.now() + BUSY_TIMEOUT;
  const bell = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(bell, 0, 0, 5);
    }
  }
};
