import { commitGroups } from '#threads';
import { Catalogue } from './catalogue.js';
import { connected } from './connected.js';
import { perform, type Task } from './operations.js';
import { createOwnTables } from './schema.js';
import { asStoreError } from './sqlite-error.js';

/** Enough for the pages that are written again and again: 16 MiB made no bench faster. */
const CACHE_KIB = 4 * 1024;

/** The error names the cause and what to do, because its message alone leaves the thread. */
const opened: typeof connected = (file, settings, use) => {
  try {
    return connected(file, settings, use);
  } catch (error) {
    throw asStoreError(error, file);
  }
};

commitGroups(({ file, caches }: { readonly file: string; readonly caches: boolean }) =>
  opened(file, { cacheKib: CACHE_KIB, caches }, (connection) => {
    connection.writing(() => createOwnTables(connection, file));
    const catalogue = new Catalogue(connection, caches);

    const one = (task: Task): unknown => {
      catalogue.refresh();
      return perform({ connection, catalogue }, task);
    };

    const apart = (task: Task): unknown => {
      try {
        return connection.apart(() => one(task));
      } catch (error) {
        // SQLite has rolled back the whole transaction, for example on a full disk: all writes have failed.
        if (!connection.inTransaction) throw error;
        return asStoreError(error, file);
      }
    };

    return {
      commit(tasks: readonly Task[]): readonly unknown[] {
        try {
          return connection.writing(() => tasks.map(tasks.length === 1 ? one : apart));
        } catch (error) {
          throw asStoreError(error, file);
        }
      },
      close: () => connection.close(),
    };
  }),
);
