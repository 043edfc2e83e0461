import { type Document, DuplicateKey, type IndexedValue } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import { hasValues } from '../indexed-value.js';
import { allIndexes, type StoredCollection } from './catalogue.js';
import type { Database } from './database.js';
import { parsed, type StoredDocument, storedAs } from './stored.js';
import { positionOf } from './writes.js';

type Expected = Readonly<Record<string, IndexedValue>> | null;

/** Of several at once one wins: it replaces the very text that it has looked at. */
export const compareAndSet = async (
  database: Database,
  collection: StoredCollection,
  document: Document,
  expected: Expected,
  isRepeat: boolean,
): Promise<boolean> => {
  const documents = database.documents(collection.physical);
  const next = (order = 0, revision = 0) =>
    storedAs(allIndexes(collection), document, positionOf(document) ?? order, revision);
  const text = next().stored._document;
  try {
    for (;;) {
      const there = await documents.findOne({ _id: document.id });
      // The answer to the first attempt was lost, and it was done.
      if (isRepeat && there?.stored._document === text) return true;
      if (!isAsExpected(there, expected)) return false;
      if (there === null) {
        if (await inserted(documents, next())) return true;
        continue;
      }
      const { _order, _revision, _document } = there.stored;
      const same = { _id: document.id, 'stored._order': _order, 'stored._document': _document ?? null };
      const { stored } = next(_order, _revision + 1);
      if ((await documents.updateOne(same, { $set: { stored } })).matchedCount === 1) return true;
    }
  } catch (error) {
    throw isDuplicateKey(error) ? new DuplicateKey(collection._id) : error;
  }
};

const isAsExpected = (there: StoredDocument | null, expected: Expected): boolean => {
  const isThere = there?.stored._document !== undefined;
  if (expected === null || there === null || !isThere) return expected === null && !isThere;
  return hasValues(parsed(there), expected);
};

/** False where somebody else was faster. */
const inserted = async (documents: ReturnType<Database['documents']>, next: StoredDocument): Promise<boolean> => {
  try {
    await documents.insertOne(next);
    return true;
  } catch (error) {
    if (isDuplicateKey(error) && (await documents.findOne({ _id: next._id })) !== null) return false;
    throw error;
  }
};
