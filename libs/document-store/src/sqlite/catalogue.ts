import type { SQLInputValue } from 'node:sqlite';
import { type CollectionDefinition, type Document, type IndexDefinition, UnknownCollection } from '#kernel/ports';
import { indexedFields, indexedValue } from '../definitions.js';
import type { Connection } from './connected.js';

/**
 * A collection as a table: the id, the document's JSON, and one column for each indexed field, so that no index parses
 * JSON. It keeps SQLite's rowid, because rows without one spill into overflow pages beyond about 1 kB.
 */
export interface Table {
  readonly definition: CollectionDefinition;
  readonly fields: readonly string[];
  readonly get: string;
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

export const storedDefinitions = (connection: Connection): Map<string, CollectionDefinition> =>
  new Map(
    connection.all('SELECT "definition" FROM "_collections"').map(({ definition }) => {
      const parsed = JSON.parse(String(definition)) as CollectionDefinition;
      return [parsed.name, parsed];
    }),
  );

/** Caches the file's collections, and reads them again when another process may have changed them. */
export class Catalogue {
  private tables = new Map<string, Table>();
  private version: unknown;

  constructor(
    private readonly connection: Connection,
    private readonly isCached: boolean,
  ) {}

  /** Within a transaction, so that no write uses an outdated definition and leaves a new index empty. */
  refresh(): void {
    if (this.fileVersion() !== this.version) this.reload();
  }

  reload(): void {
    this.connection.forget();
    this.version = this.fileVersion();
    const definitions = storedDefinitions(this.connection);
    this.tables = new Map([...definitions].map(([name, definition]) => [name, tableOf(definition)]));
  }

  table(collection: string): Table {
    if (!this.isCached || !this.tables.has(collection)) this.reload();
    const table = this.tables.get(collection);
    if (table === undefined) throw new UnknownCollection(collection);
    return table;
  }

  index(collection: string, name: string): IndexDefinition {
    const find = () => this.table(collection).definition.indexes.find((index) => index.name === name);
    const known = find();
    if (known !== undefined) return known;
    this.reload();
    const index = find();
    if (index === undefined) throw new Error(`${collection} has no index ${name}`);
    return index;
  }

  private fileVersion(): unknown {
    return this.connection.get('PRAGMA schema_version')?.schema_version;
  }
}
