import { type Document, openDatabase, SECOND } from '#kernel/ports';
import { indexedValue } from '../indexed-value.js';
import { Connection } from './connection.js';
import { INDEXED_VALUE } from './schema.js';

/** How long a writer waits for the writers of other processes. */
export const BUSY_TIMEOUT = 5 * SECOND;

interface Settings {
  readonly cacheKib: number;
  readonly pageBytes?: number;
  /** After how many written pages the write-ahead log is copied into the file. */
  readonly checkpointPages?: number;
  readonly blocksFor?: number;
  readonly busyFor?: number;
  /** False: statements are prepared for each use. */
  readonly caches?: boolean;
}

/** More than an automatic checkpoint leaves. */
const JOURNAL_BYTES = 64 * 1024 * 1024;

const USUAL = {
  /** Twice SQLite's default: a document of common size shares its page with ten others; an index has half the pages. */
  pageBytes: 8_192,
  checkpointPages: 5_000,
  blocksFor: BUSY_TIMEOUT,
  busyFor: BUSY_TIMEOUT,
  caches: true,
};

export const connected = <T>(file: string, settings: Settings, use: (connection: Connection) => T): T => {
  const { cacheKib, checkpointPages, caches, ...whole } = { ...USUAL, ...settings };
  const pragmas = [`wal_autocheckpoint = ${checkpointPages}`, `cache_size = -${cacheKib}`];
  return openDatabase(file, { ...whole, synchronous: 'NORMAL', journalBytes: JOURNAL_BYTES, pragmas }, (database) => {
    database.function(INDEXED_VALUE, { deterministic: true, directOnly: true }, (document, field) =>
      indexedValue(JSON.parse(String(document)) as Document, String(field)),
    );
    return use(new Connection(database, caches));
  });
};
