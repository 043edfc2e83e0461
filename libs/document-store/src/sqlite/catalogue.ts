import { type CollectionDefinition, type IndexDefinition, UnknownCollection } from '#kernel/ports';
import type { Connection } from './connection.js';
import { type Table, tableOf } from './table.js';

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

  /** Within a transaction, so that no write uses an outdated definition, which would leave a new index empty. */
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
