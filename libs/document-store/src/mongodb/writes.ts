import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { CollectionWrite, Document, Position } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import { fieldsOf } from './catalogue.js';
import type { CatalogueEntry, Database } from './database.js';
import { type Meta, type StoredDocument, storedAs, storedAsRemoved } from './stored.js';

const BATCH_SIZE = 500;
/** From this many puts on, a small first command pays off: it shows whether the documents are new. */
const MIN_PUTS_FOR_INSERT = 100;
const FIRST_BATCH_SIZE = 10;
const MAX_ATTEMPTS = 3;

export interface Batch {
  readonly entry: CatalogueEntry;
  readonly remove: readonly StoredDocument[];
  readonly put: readonly StoredDocument[];
  readonly isOrdered: boolean;
}

/** `position` is that of removals that have none. Without it the changes replace any document. Throws `TypeError` for an unfit one. */
export const batchOf = (
  entry: CatalogueEntry,
  { put = [], remove = [] }: CollectionWrite,
  position?: Position,
): Batch => {
  const fields = fieldsOf(entry);
  const at = new Date();
  return {
    entry,
    remove: remove.map((removal) =>
      typeof removal === 'string'
        ? storedAsRemoved(removal, position, at)
        : storedAsRemoved(removal.id, removal.position, at),
    ),
    put: lastOfEach(put).map((document) => storedAs(fields, document)),
    isOrdered: position !== undefined,
  };
};

export const apply = async (database: Database, { entry, remove, put, isOrdered }: Batch): Promise<void> => {
  const documents = database.documents(entry.collection);
  for (const some of inPieces(remove)) {
    if (isOrdered) await replaceOlder(documents, some);
    else await documents.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
  }
  // Inserts cost less than upserts. Of many documents, as in a rebuild, all are new if the first ones are.
  let areNew = false;
  for (const some of inPieces(put, put.length >= MIN_PUTS_FOR_INSERT ? FIRST_BATCH_SIZE : BATCH_SIZE)) {
    if (areNew) areNew = await inserted(documents, some);
    if (!areNew) areNew = (await (isOrdered ? replaceOlder : replaceAny)(documents, some)) === 0;
  }
};

const inserted = async (documents: Collection<StoredDocument>, put: readonly StoredDocument[]): Promise<boolean> => {
  try {
    await documents.insertMany(put);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
};

const replaceAny = async (documents: Collection<StoredDocument>, put: readonly StoredDocument[]): Promise<number> => {
  const replacements = put.map((document) => replacement({ _id: document._id }, document));
  try {
    return (await documents.bulkWrite(replacements)).matchedCount;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another process inserted one of them concurrently.
    return (await documents.bulkWrite(replacements)).matchedCount;
  }
};

const replaceOlder = async (documents: Collection<StoredDocument>, put: readonly StoredDocument[]): Promise<number> => {
  let older = put;
  for (let attempt = 1; older.length > 0; attempt++) {
    try {
      const replacements = older.map((document) => replacement(unlessNewer(document), document));
      return put.length - older.length + (await documents.bulkWrite(replacements)).matchedCount;
    } catch (error) {
      // An upsert that finds no older document inserts, and the id is refused where a newer one exists. An attempt
      // without the newer ones is refused only if another process inserts concurrently.
      if (!isDuplicateKey(error) || attempt === MAX_ATTEMPTS) throw error;
    }
    older = await withoutNewer(documents, put);
  }
  return put.length;
};

const withoutNewer = async (
  documents: Collection<StoredDocument>,
  put: readonly StoredDocument[],
): Promise<readonly StoredDocument[]> => {
  const ids = put.map(({ _id }) => _id);
  const projection = { _meta: 1 } as const;
  const found = await documents
    .find({ _id: { $in: ids } }, { projection, batchSize: ids.length })
    .map((document): readonly [string, Meta] => [document._id, document._meta])
    .toArray();
  const there = new Map(found);
  return put.filter(({ _id, _meta }) => !isNewer(there.get(_id), _meta));
};

type Filter = { readonly _id: string; readonly [path: string]: unknown };

/** A document of the same position is newer if it was changed by compare-and-set. One without a position replaces any. */
const unlessNewer = ({ _id, _meta: { position } }: StoredDocument): Filter =>
  position === undefined
    ? { _id }
    : {
        _id,
        $nor: [{ '_meta.position': { $gt: position } }, { '_meta.position': position, '_meta.revision': { $gt: 0 } }],
      };

const isNewer = (there: Meta | undefined, { position }: Meta): boolean =>
  there?.position !== undefined &&
  position !== undefined &&
  (there.position > position || (there.position === position && there.revision > 0));

const replacement = (filter: Filter, { _id, ...document }: StoredDocument): AnyBulkWriteOperation<StoredDocument> => ({
  replaceOne: { filter, replacement: document, upsert: true },
});

const lastOfEach = (put: readonly Document[]): Document[] => [
  ...new Map(put.map((document) => [document.id, document])).values(),
];

function* inPieces<T>(all: readonly T[], first = BATCH_SIZE): Generator<readonly T[]> {
  if (all.length > 0) yield all.slice(0, first);
  for (let from = first; from < all.length; from += BATCH_SIZE) yield all.slice(from, from + BATCH_SIZE);
}
