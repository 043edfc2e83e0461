import type { DocumentStore } from '#kernel/ports';
import { connected } from './connected.js';
import { Counters } from './counters.js';
import { createOwnTables } from './schema.js';
import { SqliteDocumentStore } from './sqlite-document-store.js';
import { asStoreError } from './sqlite-error.js';
import { writeThreadFor } from './write-thread.js';

export interface SqliteDocumentStoreOptions {
  /** Made where it is missing; its directory must be there. Counters are beside it, with `-counters` after its name. */
  readonly file: string;
}

const SETTINGS = { cacheKib: 8 * 1024 };

/**
 * The embedded document store: an SQLite file, and one for counters, which several processes of this machine may have
 * open. What was written survives the end of the process at once, and a power cut from the next WAL checkpoint on; a
 * read model loses nothing by that, because its checkpoint is lost with it. Throws `StoreUnavailable` where the file
 * can't be opened.
 */
export const openSqliteDocumentStore = ({ file }: SqliteDocumentStoreOptions): DocumentStore => {
  try {
    return connected(file, SETTINGS, (connection) => {
      connection.writing(() => createOwnTables(connection));
      return new SqliteDocumentStore(connection, writeThreadFor(file), new Counters(`${file}-counters`), file);
    });
  } catch (error) {
    throw asStoreError(error);
  }
};
