import { DatabaseSync } from 'node:sqlite';
import type { Document } from '#kernel/ports';
import { indexedValue } from '../indexed-value.js';
import { Connection } from './connection.js';
import { INDEXED_VALUE } from './schema.js';
import { isBusy } from './sqlite-error.js';

/** How long a writer waits for the writers of other processes, in milliseconds. */
const BUSY_TIMEOUT = 5_000;
const CHECKPOINT_PAGES = 5_000;
/** Twice the usual: a document of common size shares its page with ten others, and an index has half the pages. */
const PAGE_BYTES = 8_192;

/** Opens the file with so many KiB of it in memory, and closes it again where `use` throws. */
export const connected = <T>(file: string, cacheKib: number, use: (connection: Connection) => T): T => {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT });
  try {
    return use(prepared(database, cacheKib));
  } catch (error) {
    database.close();
    throw error;
  }
};

const prepared = (database: DatabaseSync, cacheKib: number): Connection => {
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  useWriteAheadLog(database);
  database.exec(`
    PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA cache_size = -${cacheKib};
  `);
  database.function(INDEXED_VALUE, { deterministic: true, directOnly: true }, (document, field) =>
    indexedValue(JSON.parse(String(document)) as Document, String(field)),
  );
  return new Connection(database);
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
