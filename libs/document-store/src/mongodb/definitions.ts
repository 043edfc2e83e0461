import { ObjectId } from 'mongodb';
import { type CollectionDefinition, DuplicateKey, type IndexDefinition } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import { mergedDefinition } from '../definitions.js';
import type { Catalogue } from './catalogue.js';
import type { CatalogueEntry, Database } from './database.js';
import { indexDescriptions, indexesOfNew } from './indexes.js';

/** Creates missing collections and indexes. Processes that do so concurrently meet in the catalogue. */
export const ensureCollections = async (
  database: Database,
  catalogue: Catalogue,
  definitions: readonly CollectionDefinition[],
): Promise<void> => {
  // `later` indexes are created with the collection: to build each over the filled collection took longer in rebuilds.
  const wanted = definitions.map(({ name, indexes, later = [] }) => ({ name, indexes: [...indexes, ...later] }));
  const entries = await catalogue.entries([...new Set(wanted.map(({ name }) => name))]);
  // All are checked before the first is created: a definition that is refused leaves nothing behind.
  for (const definition of wanted) mergedDefinition(definitionOf(entries.get(definition.name)), definition);
  for (const definition of wanted) {
    for (;;) {
      const entry = (await catalogue.entries([definition.name])).get(definition.name);
      const before = definitionOf(entry);
      const merged = mergedDefinition(before, definition);
      if (merged === before) break;
      if (entry === undefined) await create(database, merged);
      else await extend(database, entry, merged.indexes);
    }
  }
};

const definitionOf = (entry: CatalogueEntry | undefined): CollectionDefinition | undefined =>
  entry && { name: entry._id, indexes: entry.indexes };

/** It is listed when it is complete, and only if no other process was faster. */
const create = async (database: Database, { name, indexes }: CollectionDefinition): Promise<void> => {
  const collection = `${name}.${new ObjectId().toHexString()}`;
  await database.documents(collection).createIndexes(indexesOfNew(indexes));
  try {
    await database.collections.insertOne({ _id: name, collection, indexes, revision: 1 });
  } catch (error) {
    await database.documents(collection).drop();
    if (!isDuplicateKey(error)) throw error;
  }
};

/** Readers use an index when it is complete. Another process may create the same one concurrently. */
const extend = async (
  database: Database,
  { _id, collection, indexes, revision }: CatalogueEntry,
  wanted: readonly IndexDefinition[],
): Promise<void> => {
  const missing = wanted.filter(({ name }) => !indexes.some((index) => index.name === name));
  const descriptions = missing.flatMap(indexDescriptions);
  try {
    if (descriptions.length > 0) await database.documents(collection).createIndexes(descriptions);
  } catch (error) {
    throw isDuplicateKey(error) ? new DuplicateKey(_id) : error;
  }
  const change = { $set: { indexes: wanted }, $inc: { revision: 1 } };
  await database.collections.updateOne({ _id, collection, revision }, change);
};

export const dropCollection = async (database: Database, name: string): Promise<void> => {
  const dropped = await database.collections.findOneAndDelete({ _id: name });
  if (dropped !== null) await database.documents(dropped.collection).drop();
};
