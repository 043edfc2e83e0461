import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** A prepared statement whose rows are arrays, typed where the SQL is written. */
export interface Query<Row extends readonly unknown[]> {
  all(...values: SQLInputValue[]): Row[];
  get(...values: SQLInputValue[]): Row | undefined;
}

/**
 * A bound `LIMIT`, as a sum: SQLite plans a statement again when a value is bound to a limit that is only a
 * parameter, and that takes longer than a short read.
 */
export const limitedTo = (parameter = '?'): string => `LIMIT ${parameter} + 0`;

/** Whole numbers are bigints on request; otherwise they must be safe integers. */
export function query<Row extends readonly unknown[]>(db: DatabaseSync, sql: string, bigints = false): Query<Row> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(bigints);
  return statement as unknown as Query<Row>;
}
