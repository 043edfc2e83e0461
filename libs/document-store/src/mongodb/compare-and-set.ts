import { isDeepStrictEqual } from 'node:util';
import type { Filter } from 'mongodb';
import { type Document, Fenced, type IndexedValue, WORKER_LEASE } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import { hasValues } from '../definitions.js';
import { fieldsOf } from './catalogue.js';
import type { CatalogueEntry, Database } from './database.js';
import { documentOf, isPresent, type Meta, pathOf, type StoredDocument, storedAs } from './stored.js';

type Expected = Readonly<Record<string, IndexedValue>>;

/** One of several concurrent changes wins: it replaces exactly the version that it has read. */
export const compareAndSet = async (
  database: Database,
  entry: CatalogueEntry,
  document: Document,
  expected: Expected | null,
  fence: number | undefined,
  isRepeat: boolean,
): Promise<boolean> => {
  const documents = database.documents(entry.collection);
  const first = storedAs(fieldsOf(entry), document, { ...(fence !== undefined && { fence }), revision: 0 });
  for (;;) {
    const there = await documents.findOne({ _id: document.id });
    // The first attempt was successful, and its answer was lost.
    if (isRepeat && there !== null && isSame(there, first)) return true;
    if (fence !== undefined && (there?._meta.fence ?? fence) > fence) throw new Fenced(WORKER_LEASE);
    if (!isAsExpected(there, expected)) return false;
    if (there === null) {
      if (await inserted(documents, first)) return true;
      continue;
    }
    const next = { ...first, _meta: nextMeta(there._meta, first._meta) };
    if ((await documents.replaceOne(versionOf(there, expected), next)).matchedCount === 1) return true;
  }
};

const isSame = (there: StoredDocument, document: StoredDocument): boolean =>
  isPresent(there) && isDeepStrictEqual(documentOf(there), documentOf(document));

const isAsExpected = (there: StoredDocument | null, expected: Expected | null): boolean => {
  if (there === null || !isPresent(there)) return expected === null;
  return expected !== null && hasValues(documentOf(there), expected);
};

const nextMeta = ({ revision, fence: before }: Meta, { position, fence = before }: Meta): Meta => ({
  ...(fence !== undefined && { fence }),
  ...(position !== undefined && { position }),
  revision: revision + 1,
});

/** A put without a checkpoint may replace a document without changing its bookkeeping; then the values decide. */
const versionOf = ({ _id, _meta }: StoredDocument, expected: Expected | null): Filter<StoredDocument> => ({
  ...Object.fromEntries(Object.entries(expected ?? {}).map(([field, value]) => [pathOf(field), value])),
  _id,
  '_meta.position': _meta.position ?? null,
  '_meta.revision': _meta.revision,
  '_meta.removedAt': _meta.removedAt ?? null,
  '_meta.fence': _meta.fence ?? null,
});

const inserted = async (documents: ReturnType<Database['documents']>, next: StoredDocument): Promise<boolean> => {
  try {
    await documents.insertOne(next);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
};
