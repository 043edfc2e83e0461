import { type IndexDescription, ObjectId } from 'mongodb';
import { type CollectionDefinition, type Duration, type IndexDefinition, MINUTE } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import { mergedDefinition } from '../definitions.js';
import type { Catalogue } from './catalogue.js';
import type { CatalogueEntry, Database } from './database.js';
import { pathOf } from './stored.js';

/** Longer than any write can be in flight: until then the mark of a removal refuses older writes. In seconds. */
const REMOVAL_MARK_TTL = 60 * 60;

const REMOVED: IndexDescription = {
  name: '_removed',
  key: { '_meta.removedAt': 1 },
  sparse: true,
  expireAfterSeconds: REMOVAL_MARK_TTL,
};

export const indexesOfNew = (indexes: readonly IndexDefinition[]): IndexDescription[] => [
  REMOVED,
  ...indexes.flatMap(indexDescriptions),
];

/** None for an index of no fields: MongoDB has one of the ids. */
export const indexDescriptions = ({ name, fields }: IndexDefinition): IndexDescription[] => {
  const key: Record<string, 1> = Object.fromEntries([...fields, 'id'].map((field) => [pathOf(field), 1]));
  return fields.length > 0 ? [{ name, key }] : [];
};

export const sweep = async (database: Database, unlistedFor: Duration = 60 * MINUTE): Promise<void> => {
  const unlistedSince = new Date(Date.now() - unlistedFor);
  // The catalogue is read second: a collection that MongoDB had before and that is not in it is dropped or incomplete.
  const names = (await database.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const entries = await database.collections.find().toArray();
  const listed = new Set(entries.map(({ collection }) => collection));
  for (const name of names) {
    const made = madeAt(name);
    if (made !== undefined && made < unlistedSince && !listed.has(name)) await database.documents(name).drop();
  }
};

const madeAt = (collection: string): Date | undefined => {
  const id = /^[a-z][a-z0-9_]*\.([0-9a-f]{24})$/i.exec(collection)?.[1];
  return id === undefined ? undefined : new ObjectId(id).getTimestamp();
};

export const ensureCollections = async (
  database: Database,
  catalogue: Catalogue,
  definitions: readonly CollectionDefinition[],
): Promise<void> => {
  // `later` indexes are created with the collection, because building each over the filled collection took longer.
  const wanted = definitions.map(({ name, indexes, later = [] }) => ({ name, indexes: [...indexes, ...later] }));
  const entries = await catalogue.entries([...new Set(wanted.map(({ name }) => name))]);
  // All are checked before the first is created: a refused definition leaves nothing behind.
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

/** It is listed when it is complete, unless another process was faster. */
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
  if (descriptions.length > 0) await database.documents(collection).createIndexes(descriptions);
  const change = { $set: { indexes: wanted }, $inc: { revision: 1 } };
  await database.collections.updateOne({ _id, collection, revision }, change);
};

export const dropCollection = async (database: Database, name: string): Promise<void> => {
  const dropped = await database.collections.findOneAndDelete({ _id: name });
  if (dropped !== null) await database.documents(dropped.collection).drop();
};
