import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { type CollectionWrite, type Document, DuplicateKey } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import { allIndexes, type StoredCollection } from './catalogue.js';
import type { Database } from './database.js';
import { type StoredDocument, storedAs, storedAsRemoved } from './stored.js';

/** Documents in one command, so that none takes long. */
const AT_ONCE = 500;
/** Of so many documents that are put it is worth a command of its own to see whether the first are new. */
const MANY = 100;
const FIRST = 10;

/** The changes to one collection, as they will be stored. */
export interface Batch {
  readonly collection: StoredCollection;
  readonly remove: readonly StoredDocument[];
  readonly put: readonly StoredDocument[];
  /** Whether what is there stays where it is of the same order or a later one. */
  readonly isOrdered: boolean;
}

/** The position of a read model's document. */
export const positionOf = (document: Document): number | undefined => {
  const position: unknown = Reflect.get(document, 'position');
  return typeof position === 'number' ? position : undefined;
};

/**
 * Throws `TypeError` where a document can not be indexed. `order` is that of all documents, or, where it is undefined,
 * each has its own position.
 */
export const batchOf = (
  collection: StoredCollection,
  { put = [], remove = [] }: CollectionWrite,
  { order, removedBy, isOrdered }: { order?: number; removedBy: number; isOrdered: boolean },
): Batch => {
  const indexes = allIndexes(collection);
  const at = new Date();
  return {
    collection,
    remove: remove.map((id) => storedAsRemoved(indexes, id, removedBy, at)),
    put: lastOfEach(put).map((document) => storedAs(indexes, document, order ?? positionOf(document) ?? 0)),
    isOrdered,
  };
};

/** Removes, and then puts. */
export const apply = async (database: Database, batch: Batch): Promise<void> => {
  const { collection, remove, put, isOrdered } = batch;
  const documents = database.documents(collection.physical);
  try {
    for (const some of inPieces(remove)) await documents.bulkWrite(some.map(isOrdered ? replaceOlder : removal));
    // Inserts cost less than upserts. Of many that are put at once, as by a rebuild, all are new if the first are.
    let areNew = false;
    for (const some of inPieces(put, put.length >= MANY ? FIRST : AT_ONCE)) {
      if (areNew) areNew = await inserted(documents, some);
      if (!areNew) areNew = (await replaced(documents, some.map(isOrdered ? replaceOlder : replaceAny))) === 0;
    }
  } catch (error) {
    throw isDuplicateKey(error) ? new DuplicateKey(collection._id) : error;
  }
};

/** How many of them were there already. */
const replaced = async (documents: Collection<StoredDocument>, replacements: Operation[]): Promise<number> => {
  try {
    return (await documents.bulkWrite(replacements)).matchedCount;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Somebody else has inserted one of them at this moment, or has one of its unique values: then this fails too.
    return (await documents.bulkWrite(replacements)).matchedCount;
  }
};

/** False where one of them is there, or a unique value of it; those before it are inserted. */
const inserted = async (documents: Collection<StoredDocument>, put: readonly StoredDocument[]): Promise<boolean> => {
  try {
    await documents.insertMany(put);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
};

type Operation = AnyBulkWriteOperation<StoredDocument>;

// Each finds one document by its id. It is `updateMany` all the same: for each `updateOne` that finds one FerretDB holds
// a connection of its own until the command ends, and it has a hundred of them.
const replaceOlder = ({ _id, stored }: StoredDocument): Operation => ({
  updateMany: { filter: { _id }, update: { $max: { stored } }, upsert: true },
});
const replaceAny = ({ _id, stored }: StoredDocument): Operation => ({
  updateMany: { filter: { _id }, update: { $set: { stored } }, upsert: true },
});
const removal = ({ _id }: StoredDocument): Operation => ({ deleteOne: { filter: { _id } } });

const lastOfEach = (put: readonly Document[]): Document[] => [
  ...new Map(put.map((document) => [document.id, document])).values(),
];

function* inPieces<T>(all: readonly T[], first = AT_ONCE): Generator<readonly T[]> {
  if (all.length > 0) yield all.slice(0, first);
  for (let from = first; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}
