import { type IndexDescription, ObjectId } from 'mongodb';
import { type CollectionDefinition, type Document, DuplicateKey, type IndexDefinition } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import { mergedDefinition } from '../definitions.js';
import type { Catalogue, StoredCollection } from './catalogue.js';
import type { Database } from './database.js';
import { pathOf } from './range-filter.js';
import { indexedMembers, parsed, removedMembers, uniqueMember } from './stored.js';

/** Finds what was removed, to sweep it. */
const REMOVED: IndexDescription = { name: '_removed', key: { 'stored._removedAt': 1 }, sparse: true };

/** Makes collections and indexes that are missing. Whoever does the same elsewhere is met in the catalogue. */
export const ensureCollections = async (
  database: Database,
  catalogue: Catalogue,
  definitions: readonly CollectionDefinition[],
): Promise<void> => {
  // An index that came later would have to be given the values of each document.
  const wanted = definitions.map(({ name, indexes, later = [] }) => ({ name, indexes: [...indexes, ...later] }));
  const listed = await catalogue.listed([...new Set(wanted.map(({ name }) => name))]);
  const definitionOf = (there: StoredCollection | undefined): CollectionDefinition | undefined =>
    there && { name: there._id, indexes: there.indexes };
  // All are looked at before the first is made: a definition that can not be leaves nothing behind.
  for (const definition of wanted) mergedDefinition(definitionOf(listed.get(definition.name)), definition);
  for (const definition of wanted) {
    for (;;) {
      const there = (await catalogue.listed([definition.name])).get(definition.name);
      const before = definitionOf(there);
      const merged = mergedDefinition(before, definition);
      if (merged === before) break;
      if (there === undefined) await create(database, merged);
      else await extend(database, there, merged.indexes);
    }
  }
};

/** It is listed once it is complete, and only if nobody was faster. */
const create = async (database: Database, { name, indexes }: CollectionDefinition): Promise<void> => {
  const physical = `${name}.${new ObjectId().toHexString()}`;
  await database.documents(physical).createIndexes([REMOVED, ...indexes.flatMap(descriptionsOf)]);
  try {
    await database.collections.insertOne({ _id: name, physical, indexes, revision: 1 });
  } catch (error) {
    await database.documents(physical).drop();
    if (!isDuplicateKey(error)) throw error;
  }
};

/** First every writer gives the new indexes their values, then what is there gets them, and then they are used. */
const extend = async (
  database: Database,
  there: StoredCollection,
  indexes: readonly IndexDefinition[],
): Promise<void> => {
  const { _id, physical } = there;
  const adding = indexes.filter((index) => !there.indexes.some(({ name }) => name === index.name));
  const change = { $set: { adding }, $inc: { revision: 1 } };
  const announced = await database.collections.updateOne({ _id, revision: there.revision }, change);
  if (announced.matchedCount === 0) return;
  try {
    await fill(database, physical, adding);
    await createIndexes(database, physical, adding.flatMap(descriptionsOf));
  } catch (error) {
    await database.collections.updateOne({ _id, physical }, { $unset: { adding: 1 }, $inc: { revision: 1 } });
    throw isDuplicateKey(error) ? new DuplicateKey(_id) : error;
  }
  const done = { $set: { indexes }, $unset: { adding: 1 }, $inc: { revision: 1 } } as const;
  await database.collections.updateOne({ _id, physical, revision: there.revision + 1 }, done);
};

/** A document that changes meanwhile has its values from whoever changes it. */
const fill = async (database: Database, physical: string, adding: readonly IndexDefinition[]): Promise<void> => {
  const documents = database.documents(physical);
  for await (const { _id, stored } of documents.find()) {
    const members =
      stored._document === undefined
        ? removedMembers(adding, _id)
        : indexedMembers(adding, parsed<Document>({ stored }));
    const change = Object.fromEntries(Object.entries(members).map(([member, value]) => [`stored.${member}`, value]));
    if (Object.keys(change).length === 0) continue;
    const same = { _id, 'stored._order': stored._order, 'stored._revision': stored._revision };
    await documents.updateOne(same, { $set: change });
  }
};

/** One at a time, and none that is there: FerretDB bears neither a refusal in the middle nor to be asked for nothing new. */
const createIndexes = async (
  database: Database,
  physical: string,
  wanted: readonly IndexDescription[],
): Promise<void> => {
  const there = new Set((await database.documents(physical).listIndexes().toArray()).map(({ name }) => name));
  for (const index of wanted) {
    if (!there.has(index.name)) await database.documents(physical).createIndexes([index]);
  }
};

const descriptionsOf = (index: IndexDefinition): IndexDescription[] => {
  const { name, fields, unique } = index;
  const key = Object.fromEntries([...fields, 'id'].map((field) => [pathOf(field), 1]));
  return [
    ...(fields.length > 0 ? [{ name, key }] : []),
    ...(unique ? [{ name: `${name}_unique`, key: { [`stored.${uniqueMember(index)}`]: 1 }, unique }] : []),
  ];
};

export const dropCollection = async (database: Database, name: string): Promise<void> => {
  const dropped = await database.collections.findOneAndDelete({ _id: name });
  if (dropped !== null) await database.documents(dropped.physical).drop();
};
