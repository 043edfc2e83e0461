import { type CollectionDefinition, type IndexDefinition, StoreUnavailable } from '#kernel/ports';
import { indexedFields, mergedDefinition } from '../definitions.js';
import { quoted, storedDefinitions } from './catalogue.js';
import { type Connection, INDEXED_VALUE } from './connected.js';
import { indexName } from './documents.js';
import { canBeMadeAgain } from './sqlite-error.js';

const NOTHING: Omit<CollectionDefinition, 'name'> = { indexes: [] };

/** Tables in addition to the collections, whose names begin with a letter. */
export const createOwnTables = (connection: Connection, file: string): void => {
  const tables = connection.texts('SELECT "name" FROM "sqlite_schema" WHERE "type" = \'table\'');
  if (tables.length > 0 && !tables.includes('_collections'))
    throw new StoreUnavailable(`${file}: is the database of another program. ${canBeMadeAgain(file)}`);
  for (const table of [
    '"_collections" ("name" TEXT PRIMARY KEY, "definition" TEXT NOT NULL)',
    '"_checkpoints" ("name" TEXT PRIMARY KEY, "position" INTEGER NOT NULL, "fence" INTEGER NOT NULL)',
    // In place of the former, which only earlier versions of the program write.
    '"_positions" ("name" TEXT PRIMARY KEY, "position" INTEGER NOT NULL, "fence" INTEGER NOT NULL, "event" TEXT)',
    '"_leases" ("name" TEXT PRIMARY KEY, "holder" TEXT, "fence" INTEGER NOT NULL, "until" INTEGER NOT NULL)',
  ]) {
    connection.run(`CREATE TABLE IF NOT EXISTS ${table} STRICT, WITHOUT ROWID`);
  }
};

export const missingFrom = (
  connection: Connection,
  wanted: readonly CollectionDefinition[],
): CollectionDefinition[] => {
  const stored = storedDefinitions(connection);
  const missing = new Map<string, CollectionDefinition>();
  for (const definition of wanted) {
    const there = missing.get(definition.name) ?? stored.get(definition.name);
    const merged = mergedDefinition(there, definition);
    if (merged !== there) missing.set(merged.name, merged);
  }
  return [...missing.values()];
};

export const createCollections = (connection: Connection, wanted: readonly CollectionDefinition[]): void => {
  for (const definition of missingFrom(connection, wanted)) createCollection(connection, definition);
};

const createCollection = (connection: Connection, definition: CollectionDefinition): void => {
  const stored = storedDefinitions(connection).get(definition.name);
  const before = stored ?? { ...NOTHING, name: definition.name };
  const table = quoted(definition.name);
  if (stored === undefined) {
    connection.run(`CREATE TABLE ${table} ("id" TEXT PRIMARY KEY NOT NULL, "_document" TEXT NOT NULL)`);
  }
  const there = new Set(indexedFields(before));
  for (const field of indexedFields(definition)) {
    if (there.has(field)) continue;
    connection.run(`ALTER TABLE ${table} ADD COLUMN ${quoted(field)}`);
    connection.run(`UPDATE ${table} SET ${quoted(field)} = ${INDEXED_VALUE}("_document", ?)`, field);
  }
  const known = new Set(before.indexes.map(({ name }) => name));
  for (const index of definition.indexes) if (!known.has(index.name)) createIndex(connection, definition.name, index);
  connection.run(
    'INSERT INTO "_collections" VALUES (?, ?) ON CONFLICT ("name") DO UPDATE SET "definition" = excluded."definition"',
    definition.name,
    JSON.stringify(definition),
  );
};

export const dropCollection = (connection: Connection, collection: string): void => {
  if (connection.run('DELETE FROM "_collections" WHERE "name" = ?', collection) === 0) return;
  connection.run(`DROP TABLE ${quoted(collection)}`);
};

const createIndex = (connection: Connection, collection: string, index: IndexDefinition): void => {
  if (index.fields.length === 0) return;
  const name = quoted(indexName(collection, index));
  connection.run(`CREATE INDEX ${name} ON ${quoted(collection)} (${index.fields.map(quoted).join(', ')}, "id")`);
};
