import type { Collection } from 'mongodb';
import type { Document, IndexDefinition } from '#kernel';
import type { Database } from './database.js';
import { createUnlisted } from './definitions.js';
import { positionOf, type StoredDocument, storedAs } from './stored.js';

const BATCH_SIZE = 500;

/** What version 0.8 listed in `_collections`; a converted entry has `collection` in place of `physical`. */
interface EarlierEntry {
  readonly _id: string;
  readonly physical: string;
  readonly indexes: readonly IndexDefinition[];
  readonly revision: number;
}

/** Version 0.8 kept a document as JSON text, and none where it was removed. */
interface EarlierDocument {
  readonly _id: string;
  readonly stored: { readonly _order: number; readonly _revision: number; readonly _document?: string };
}

/**
 * Copies each collection of version 0.8 into one of this format. Processes that do so concurrently meet in the
 * catalogue: one copy is listed. The sweep drops the earlier collections, which are listed no more. A process of 0.8
 * that still runs finds no `physical` and rejects every read and write as unavailable, so it cannot change what was
 * copied.
 */
export const convertEarlierFormat = async (database: Database): Promise<void> => {
  const catalogue = database.db.collection<EarlierEntry>(database.collections.collectionName);
  for (const entry of await catalogue.find({ physical: { $exists: true } }).toArray()) {
    try {
      await convert(database, catalogue, entry);
    } catch (error) {
      // The sweep of a process that was faster may have dropped what this one was reading.
      const { _id, physical } = entry;
      if ((await catalogue.findOne({ _id, physical })) !== null) throw error;
    }
  }
};

const convert = async (
  database: Database,
  catalogue: Collection<EarlierEntry>,
  { _id, physical, indexes, revision }: EarlierEntry,
): Promise<void> => {
  const collection = await createUnlisted(database, _id, indexes);
  await copy(database, physical, collection, indexes);
  const change = {
    $set: { collection },
    $unset: { physical: 1, adding: 1 },
    $inc: { revision: 1 },
  } as const;
  const listed = await catalogue.updateOne({ _id, physical, revision }, change);
  if (listed.matchedCount === 0) await database.documents(collection).drop();
};

const copy = async (
  database: Database,
  from: string,
  to: string,
  indexes: readonly IndexDefinition[],
): Promise<void> => {
  const fields = indexes.flatMap((index) => index.fields);
  const documents = database.documents(to);
  let batch: StoredDocument[] = [];
  for await (const earlier of database.db.collection<EarlierDocument>(from).find()) {
    const { _order: sequence, _revision: revision, _document } = earlier.stored;
    if (_document === undefined) continue;
    const document = JSON.parse(_document) as Document;
    const isPositioned = positionOf(document) !== undefined;
    batch.push(storedAs(fields, document, isPositioned ? { revision } : { sequence, revision }));
    if (batch.length < BATCH_SIZE) continue;
    await documents.insertMany(batch);
    batch = [];
  }
  if (batch.length > 0) await documents.insertMany(batch);
};
