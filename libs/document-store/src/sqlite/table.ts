import type { SQLInputValue } from 'node:sqlite';
import type { CollectionDefinition, Document } from '#kernel/ports';
import { indexedFields } from '../definitions.js';
import { indexedValue } from '../indexed-value.js';

/**
 * A collection as a table: the id, the document's JSON, and one column for each indexed field, so that no index parses
 * JSON. It keeps SQLite's rowid, because rows without one spill into overflow pages beyond about 1 kB.
 */
export interface Table {
  readonly definition: CollectionDefinition;
  readonly fields: readonly string[];
  readonly get: string;
  /** Takes a JSON array of ids. */
  readonly getMany: string;
  readonly count: string;
  readonly remove: string;
  /** Both take the result of `row`: id, JSON and the fields' values. `insert` does not replace an existing document. */
  readonly put: string;
  readonly insert: string;
  row(document: Document): SQLInputValue[];
}

export const quoted = (name: string): string => `"${name}"`;

export const tableOf = (definition: CollectionDefinition): Table => {
  const table = quoted(definition.name);
  const fields = indexedFields(definition);
  const columns = ['_document', ...fields].map(quoted);
  const insert = `INSERT INTO ${table} ("id", ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`;
  const replaced = columns.map((column) => `${column} = excluded.${column}`).join(', ');
  return {
    definition,
    fields,
    get: `SELECT "_document" FROM ${table} WHERE "id" = ?`,
    getMany: `SELECT "_document" FROM ${table} WHERE "id" IN (SELECT "value" FROM json_each(?))`,
    count: `SELECT count(*) AS "count" FROM ${table}`,
    remove: `DELETE FROM ${table} WHERE "id" = ?`,
    put: `${insert} ON CONFLICT ("id") DO UPDATE SET ${replaced}`,
    insert: `${insert} ON CONFLICT ("id") DO NOTHING`,
    row: (document) => [document.id, JSON.stringify(document), ...fields.map((field) => indexedValue(document, field))],
  };
};
