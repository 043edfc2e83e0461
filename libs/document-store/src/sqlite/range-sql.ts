import type { SQLInputValue } from 'node:sqlite';
import type { IndexDefinition, IndexedValue, RangeQuery } from '#kernel/ports';
import { type Range, rangeOf } from '../range.js';
import { quoted } from './table.js';

export interface RangeStatement {
  /** The limit is its last parameter. */
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** A sum, because SQLite plans a statement again when a value is bound to a limit that is only a parameter. */
const LIMIT = 'LIMIT ? + 0';

/**
 * One or two statements whose rows, in this order, are the query's. Two, because a comparison in SQL leaves out
 * nulls, and an `OR` that includes them would lose the order of the index.
 */
export const rangeStatements = (
  collection: string,
  index: IndexDefinition,
  query: RangeQuery,
  columns: readonly string[] = ['_document'],
): RangeStatement[] => {
  const range = rangeOf(index, query);
  const field = quoted(range.ordered[0]);
  const source = `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(collection)} INDEXED BY ${quoted(indexName(collection, index))}`;
  const order = range.ordered.map((name) => `${quoted(name)} ${range.descending ? 'DESC' : 'ASC'}`).join(', ');
  const statement = (conditions: string[], values: readonly SQLInputValue[]): RangeStatement => {
    const where = [...range.equals.map(isEqual), ...conditions];
    return {
      sql: `${source}${where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`} ORDER BY ${order} ${LIMIT}`,
      values: [...range.equals.map(([, value]) => value).filter((value) => value !== null), ...values],
    };
  };

  const bounded = statement(
    range.bounds.map(({ operator }) => `${field} ${operator} ?`),
    range.bounds.map(({ value }) => value),
  );
  if (!includesNulls(range)) return [bounded];
  const nulls = statement([`${field} IS NULL`], []);
  return range.descending ? [bounded, nulls] : [nulls, bounded];
};

/** The name in the file of the index that queries read; an index of no fields is the one of the primary key. */
export const indexName = (collection: string, { name, fields }: IndexDefinition): string =>
  fields.length === 0 ? `sqlite_autoindex_${collection}_1` : `${collection}.${name}`;

const isEqual = ([field, value]: readonly [string, IndexedValue]): string =>
  value === null ? `${quoted(field)} IS NULL` : `${quoted(field)} = ?`;

/** Whether the range has an upper bound and no lower one, on a field that may be null. */
const includesNulls = ({ bounds, ordered }: Range): boolean =>
  ordered.length > 1 && bounds.length > 0 && bounds.every(({ operator }) => operator.startsWith('<'));
