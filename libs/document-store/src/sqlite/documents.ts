import type { SQLInputValue } from 'node:sqlite';
import type { Document, IndexDefinition, IndexedValue, RangeQuery } from '#kernel/ports';
import { hasValues, type Range, rangeOf } from '../definitions.js';
import type { Catalogue } from './catalogue.js';
import { quoted, type Table } from './catalogue.js';
import type { Connection } from './connected.js';

interface RangeStatement {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** A sum, because SQLite plans a statement again when a value is bound to a limit that is only a parameter. */
const LIMIT = 'LIMIT ? + 0';

/** Two if the range includes nulls: an `OR` that includes them would lose the order of the index. */
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

/** The name in the file of the index that queries read; an index without fields is that of the primary key. */
export const indexName = (collection: string, { name, fields }: IndexDefinition): string =>
  fields.length === 0 ? `sqlite_autoindex_${collection}_1` : `${collection}.${name}`;

const isEqual = ([field, value]: readonly [string, IndexedValue]): string =>
  value === null ? `${quoted(field)} IS NULL` : `${quoted(field)} = ?`;

/** Whether the range has an upper bound and no lower one, on a field that may be null. */
const includesNulls = ({ bounds, ordered }: Range): boolean =>
  ordered.length > 1 && bounds.length > 0 && bounds.every(({ operator }) => operator.startsWith('<'));

export const parsed = <D extends Document>(json: string): D => JSON.parse(json) as D;

export const documentsInRange = <D extends Document>(
  connection: Connection,
  catalogue: Catalogue,
  collection: string,
  query: RangeQuery,
): D[] => {
  const statements = rangeStatements(collection, catalogue.index(collection, query.index), query);
  const json = inRange(connection, statements, query.limit, (...read) => connection.texts(...read));
  return json.map((text) => parsed<D>(text));
};

export const entriesInRange = <E extends Document>(
  connection: Connection,
  catalogue: Catalogue,
  collection: string,
  query: RangeQuery,
): E[] => {
  const index = catalogue.index(collection, query.index);
  const members = [...new Set(['id', ...index.fields])];
  const statements = rangeStatements(collection, index, query, members);
  const rows = inRange(connection, statements, query.limit, (...read) => connection.arrays(...read));
  return rows.map((values) => {
    const entry: Record<string, unknown> = {};
    for (const [n, member] of members.entries()) entry[member] = values[n];
    return entry as unknown as E;
  });
};

const inRange = <Row>(
  connection: Connection,
  [first, second]: readonly RangeStatement[],
  limit: number,
  read: (sql: string, ...values: SQLInputValue[]) => Row[],
): Row[] => {
  const both = () => {
    const found = first === undefined ? [] : read(first.sql, ...first.values, limit);
    if (second === undefined || found.length === limit) return found;
    return [...found, ...read(second.sql, ...second.values, limit - found.length)];
  };
  return second === undefined ? both() : connection.reading(both);
};

/** Documents of one collection as they are stored, in sequence: id, JSON, and the values of the fields. */
export interface Rows {
  readonly collection: string;
  readonly fields: readonly string[];
  readonly values: readonly SQLInputValue[];
}

export const rowsOf = ({ definition: { name }, fields, row }: Table, documents: readonly Document[]): Rows => ({
  collection: name,
  fields,
  values: documents.flatMap(row),
});

export const removeRows = (connection: Connection, table: Table, ids: readonly string[]): void => {
  for (const id of ids) connection.run(table.remove, id);
};

export const storeRows = (connection: Connection, table: Table, { fields, values }: Rows, sql: string): number => {
  // Another process may have added an index that the sender does not know yet.
  const isKnown = fields.join() === table.fields.join();
  const width = 2 + fields.length;
  let stored = 0;
  for (let at = 0; at < values.length; at += width) {
    const row = values.slice(at, at + width);
    stored += connection.run(sql, ...(isKnown ? row : table.row(documentOf(row))));
  }
  return stored;
};

/** Whether the stored document has these values; null: whether there is no document. */
export const replaceRow = (
  connection: Connection,
  table: Table,
  row: Rows,
  expected: Readonly<Record<string, IndexedValue>> | null,
): boolean => {
  if (expected === null) return storeRows(connection, table, row, table.insert) === 1;
  const [stored] = connection.texts(table.get, String(row.values[0]));
  if (stored === undefined || !hasValues(parsed(stored), expected)) return false;
  storeRows(connection, table, row, table.put);
  return true;
};

const documentOf = ([, json]: readonly SQLInputValue[]): Document => JSON.parse(String(json)) as Document;
