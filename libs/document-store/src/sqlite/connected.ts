import { DatabaseSync } from 'node:sqlite';
import { type Document, ensurePrivateFile } from '#kernel/ports';
import { indexedValue } from '../indexed-value.js';
import { Connection } from './connection.js';
import { INDEXED_VALUE } from './schema.js';
import { isBusy } from './sqlite-error.js';

/** How long a writer waits for the writers of other processes, in milliseconds. */
export const BUSY_TIMEOUT = 5_000;

interface Settings {
  /** The size of the page cache. */
  readonly cacheKib: number;
  readonly pageBytes?: number;
  /** After how many written pages the write-ahead log is copied into the file. */
  readonly checkpointPages?: number;
  readonly busyTimeout?: number;
  /** False: statements are prepared for each use. */
  readonly caches?: boolean;
}

/**
 * What the write-ahead log keeps of its size once its content is in the file: more than an automatic checkpoint leaves.
 * Without a limit it stays as large as a long reader, such as a backup, has let it grow.
 */
const JOURNAL_BYTES = 64 * 1024 * 1024;

const USUAL = {
  /** Twice SQLite's default: a document of common size shares its page with ten others; an index has half the pages. */
  pageBytes: 8_192,
  checkpointPages: 5_000,
  busyTimeout: BUSY_TIMEOUT,
  caches: true,
};

/** Opens the file, which only its owner may read, and closes it again if `use` throws. */
export const connected = <T>(file: string, settings: Settings, use: (connection: Connection) => T): T => {
  const whole = { ...USUAL, ...settings };
  ensurePrivateFile(file);
  const database = new DatabaseSync(file, { timeout: whole.busyTimeout });
  try {
    return use(prepared(database, whole));
  } catch (error) {
    database.close();
    throw error;
  }
};

const prepared = (
  database: DatabaseSync,
  { pageBytes, checkpointPages, cacheKib, caches }: Required<Settings>,
): Connection => {
  database.exec(`PRAGMA page_size = ${pageBytes}`);
  useWriteAheadLog(database);
  database.exec(`
    PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = ${checkpointPages};
    PRAGMA journal_size_limit = ${JOURNAL_BYTES};
    PRAGMA cache_size = -${cacheKib};
  `);
  database.function(INDEXED_VALUE, { deterministic: true, directOnly: true }, (document, field) =>
    indexedValue(JSON.parse(String(document)) as Document, String(field)),
  );
  return new Connection(database, caches);
};

/** SQLite does not wait when two processes switch a new file to WAL concurrently, so this waits. */
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
