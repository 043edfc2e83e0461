import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type Duration, messageOf, openDatabase, StoreUnavailable } from '#kernel/ports';

export interface Query<Row extends readonly unknown[]> {
  all(...values: SQLInputValue[]): Row[];
  get(...values: SQLInputValue[]): Row | undefined;
}

/** A sum, because SQLite plans a statement again when a value is bound to a limit that is only a parameter. */
export const limitedTo = (parameter = '?'): string => `LIMIT ${parameter} + 0`;

/** Whole numbers are bigints on request; otherwise they must be safe integers. */
export function query<Row extends readonly unknown[]>(db: DatabaseSync, sql: string, bigints = false): Query<Row> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(bigints);
  return statement as unknown as Query<Row>;
}

export const unavailable = (error: unknown, file: string): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(`${file}: ${messageOf(error)}`, { cause: error });

/** Pages of 8 KiB hold ten events of common size: a tenth less file than with 4 KiB, and a tenth less time to replay. */
const SETTINGS = { blocksFor: 10, pageBytes: 8_192, synchronous: 'FULL', journalBytes: 64 * 1024 * 1024 } as const;

export const connected = <T>(file: string, busyFor: Duration, cacheKib: number, use: (db: DatabaseSync) => T): T =>
  openDatabase(file, { ...SETTINGS, busyFor, pragmas: [`cache_size = -${cacheKib}`] }, use);
