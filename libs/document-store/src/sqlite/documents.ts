import type { SQLInputValue } from 'node:sqlite';
import { type Document, DuplicateKey, type IndexedValue, type RangeQuery } from '#kernel/ports';
import { hasValues } from '../indexed-value.js';
import type { Catalogue } from './catalogue.js';
import type { Connection } from './connection.js';
import { type RangeStatement, rangeStatements } from './range-sql.js';
import { isUniqueViolation } from './sqlite-error.js';
import type { Table } from './table.js';

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

/** The rows of several statements in sequence, from one state of the file. */
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
  /** The indexed fields, as the sender of the rows knows them. */
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
    stored += store(connection, table, sql, isKnown ? row : table.row(documentOf(row)));
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

const store = (connection: Connection, table: Table, sql: string, row: readonly SQLInputValue[]): number => {
  try {
    return connection.run(sql, ...row);
  } catch (error) {
    throw isUniqueViolation(error) ? new DuplicateKey(table.definition.name, { cause: error }) : error;
  }
};
