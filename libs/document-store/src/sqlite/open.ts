import { Caches } from '#kernel';
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
  readonly caches?: Caches;
}

const CACHE_KIB = 8 * 1024;

/**
 * The embedded document store: an SQLite file, and one for counters, which several processes of this machine may have
 * open. What was written survives the end of the process at once, and a power cut from the next WAL checkpoint on; a
 * read model loses nothing by that, because its checkpoint is lost with it. Throws `StoreUnavailable` where the file
 * can't be opened.
 */
export const openSqliteDocumentStore = ({ file, caches = Caches.ON }: SqliteDocumentStoreOptions): DocumentStore => {
  try {
    return connected(file, { cacheKib: CACHE_KIB, caches: caches.areOn }, (connection) => {
      connection.writing(() => createOwnTables(connection));
      return new SqliteDocumentStore(
        connection,
        writeThreadFor(file, caches.areOn),
        new Counters(`${file}-counters`),
        file,
        caches.areOn,
      );
    });
  } catch (error) {
    throw asStoreError(error);
  }
};
