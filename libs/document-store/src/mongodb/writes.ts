import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { type CollectionWrite, type Document, DuplicateKey } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import { fieldsOf } from './catalogue.js';
import type { CatalogueEntry, Database } from './database.js';
import { type Meta, type StoredDocument, storedAs, storedAsRemoved } from './stored.js';

/** Documents in one command, so that no command takes long. */
const BATCH_SIZE = 500;
/** From this many puts on, a small first command pays off: it shows whether the documents are new. */
const MIN_PUTS_FOR_INSERT = 100;
const FIRST_BATCH_SIZE = 10;
/** Tries of a change that other processes make concurrently. */
const MAX_ATTEMPTS = 3;

export interface Batch {
  readonly entry: CatalogueEntry;
  readonly remove: readonly StoredDocument[];
  readonly put: readonly StoredDocument[];
  /** Whether a document that is newer than the change remains. */
  readonly isOrdered: boolean;
}

/** The order of the changes of a write with a checkpoint. */
export type Order = Required<Pick<Meta, 'position'>> | Required<Pick<Meta, 'sequence'>>;

/** `order` is that of removals that have no position. Without it the changes replace any document. Throws `TypeError` for an unfit one. */
export const batchOf = (entry: CatalogueEntry, { put = [], remove = [] }: CollectionWrite, order?: Order): Batch => {
  const fields = fieldsOf(entry);
  const at = new Date();
  const meta = { ...(order !== undefined && 'sequence' in order && order), revision: 0 };
  return {
    entry,
    remove: remove.map((removal) =>
      typeof removal === 'string'
        ? storedAsRemoved(removal, order ?? {}, at)
        : storedAsRemoved(removal.id, { position: removal.position }, at),
    ),
    put: lastOfEach(put).map((document) => storedAs(fields, document, meta)),
    isOrdered: order !== undefined,
  };
};

export const apply = async (database: Database, { entry, remove, put, isOrdered }: Batch): Promise<void> => {
  const documents = database.documents(entry.collection);
  try {
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
  } catch (error) {
    throw isDuplicateKey(error) ? new DuplicateKey(entry._id) : error;
  }
};

/** False if one of them exists, or a unique value of it; those before it are inserted. */
const inserted = async (documents: Collection<StoredDocument>, put: readonly StoredDocument[]): Promise<boolean> => {
  try {
    await documents.insertMany(put);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
};

/** Returns how many of them existed. */
const replaceAny = async (documents: Collection<StoredDocument>, put: readonly StoredDocument[]): Promise<number> => {
  const replacements = put.map((document) => replacement({ _id: document._id }, document));
  try {
    return (await documents.bulkWrite(replacements)).matchedCount;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another process inserted one of them concurrently, or has one of its unique values: then this fails too.
    return (await documents.bulkWrite(replacements)).matchedCount;
  }
};

/** Replaces those that are not newer, inserts those that are missing, and returns how many existed. */
const replaceOlder = async (documents: Collection<StoredDocument>, put: readonly StoredDocument[]): Promise<number> => {
  let older = put;
  for (let attempt = 1; older.length > 0; attempt++) {
    try {
      const replacements = older.map((document) => replacement(unlessNewer(document), document));
      return put.length - older.length + (await documents.bulkWrite(replacements)).matchedCount;
    } catch (error) {
      // An upsert that finds no older document inserts, and the id is refused where a newer one exists. What is still
      // refused without the newer ones has a unique value of another document, or another process inserts concurrently.
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

/** Of the same position, a document that was changed by compare-and-set is newer. */
const unlessNewer = ({ _id, _meta: { position, sequence } }: StoredDocument): Filter => {
  const [path, order] = position === undefined ? ['_meta.sequence', sequence] : ['_meta.position', position];
  return { _id, $nor: [{ [path]: { $gt: order } }, { [path]: order, '_meta.revision': { $gt: 0 } }] };
};

const isNewer = (there: Meta | undefined, { position, sequence = 0 }: Meta): boolean => {
  const [is, order] = position === undefined ? [there?.sequence, sequence] : [there?.position, position];
  return there !== undefined && is !== undefined && (is > order || (is === order && there.revision > 0));
};

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
