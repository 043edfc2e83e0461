import type { SQLOutputValue } from 'node:sqlite';
import { type CollectionWrite, type Document, DuplicateKey, type IndexedValue, type RangeQuery } from '#kernel';
import { hasValues } from '../indexed-value.js';
import type { Catalogue } from './catalogue.js';
import type { Connection } from './connection.js';
import { rangeStatements } from './range-sql.js';
import { isUniqueViolation } from './sqlite-error.js';
import type { Table } from './table.js';

type Row = Record<string, SQLOutputValue>;

/** What was put as a `D` comes back as one. */
export const parsed = <D extends Document>(row: Row): D => JSON.parse(String(row._document)) as D;

/** The rows of a range query, up to its limit. */
export const rowsInRange = (connection: Connection, catalogue: Catalogue, collection: string, query: RangeQuery) => {
  const [first, second] = rangeStatements(collection, catalogue.index(collection, query.index), query);
  const read = () => {
    const rows = first === undefined ? [] : connection.all(first.sql, ...first.values, query.limit);
    if (second === undefined || rows.length === query.limit) return rows;
    return [...rows, ...connection.all(second.sql, ...second.values, query.limit - rows.length)];
  };
  return second === undefined ? read() : connection.reading(read);
};

/** Within a transaction. */
export const applyWrite = (connection: Connection, table: Table, { put = [], remove = [] }: CollectionWrite): void => {
  for (const id of remove) connection.run(table.remove, id);
  for (const document of put) store(connection, table, table.put, document);
};

/** Within a transaction. */
export const replaceWhere = (
  connection: Connection,
  table: Table,
  document: Document,
  expected: Readonly<Record<string, IndexedValue>> | null,
): boolean => {
  if (expected === null) return store(connection, table, table.insert, document) === 1;
  const row = connection.get(table.get, document.id);
  if (row === undefined || !hasValues(parsed(row), expected)) return false;
  store(connection, table, table.put, document);
  return true;
};

const store = (connection: Connection, table: Table, sql: string, document: Document): number => {
  try {
    return connection.run(sql, ...table.row(document));
  } catch (error) {
    throw isUniqueViolation(error) ? new DuplicateKey(table.definition.name, { cause: error }) : error;
  }
};
