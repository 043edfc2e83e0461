import { type CollectionDefinition, DuplicateKey, type IndexDefinition, StoreUnavailable } from '#kernel/ports';
import { indexedFields, mergedDefinition } from '../definitions.js';
import { storedDefinitions } from './catalogue.js';
import type { Connection } from './connection.js';
import { indexName } from './range-sql.js';
import { canBeMadeAgain, isUniqueViolation } from './sqlite-error.js';
import { quoted } from './table.js';

/** Fills the columns of new indexes; the connection must have it as a function of document and field. */
export const INDEXED_VALUE = 'indexed_value';

const NOTHING: Omit<CollectionDefinition, 'name'> = { indexes: [] };

/** Tables in addition to the collections, whose names begin with a letter. */
export const createOwnTables = (connection: Connection, file: string): void => {
  const tables = connection.texts('SELECT "name" FROM "sqlite_schema" WHERE "type" = \'table\'');
  if (tables.length > 0 && !tables.includes('_collections'))
    throw new StoreUnavailable(`${file}: is the database of another program. ${canBeMadeAgain(file)}`);
  for (const table of [
    '"_collections" ("name" TEXT PRIMARY KEY, "definition" TEXT NOT NULL)',
    '"_checkpoints" ("name" TEXT PRIMARY KEY, "position" INTEGER NOT NULL, "fence" INTEGER NOT NULL)',
    // In place of the former, which an earlier version of the program still finds if it is started again.
    '"_positions" ("name" TEXT PRIMARY KEY, "position" INTEGER NOT NULL, "fence" INTEGER NOT NULL, "event" TEXT)',
    '"_leases" ("name" TEXT PRIMARY KEY, "holder" TEXT, "fence" INTEGER NOT NULL, "until" INTEGER NOT NULL)',
  ]) {
    connection.run(`CREATE TABLE IF NOT EXISTS ${table} STRICT, WITHOUT ROWID`);
  }
};

/** What the file lacks of these collections. */
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

/** A unique index has two: SQLite cannot use one that exempts nulls to sort equal values by id. */
const createIndex = (connection: Connection, collection: string, index: IndexDefinition): void => {
  if (index.fields.length === 0) return;
  const name = indexName(collection, index);
  const columns = index.fields.map(quoted).join(', ');
  connection.run(`CREATE INDEX ${quoted(name)} ON ${quoted(collection)} (${columns}, "id")`);
  if (index.unique !== true) return;
  try {
    connection.run(`CREATE UNIQUE INDEX ${quoted(`${name}.unique`)} ON ${quoted(collection)} (${columns})`);
  } catch (error) {
    throw isUniqueViolation(error) ? new DuplicateKey(collection, { cause: error }) : error;
  }
};
