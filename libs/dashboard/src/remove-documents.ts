import type { Document, DocumentStore, RangeQuery } from '#kernel';

export const removeDocuments = async (
  store: DocumentStore,
  collection: string,
  documents: readonly Document[],
): Promise<void> => {
  if (documents.length > 0) await store.write([{ collection, remove: documents.map(({ id }) => id) }]);
};

/** Removes the documents in a range of an index, up to its limit. Returns their number. */
export const removeRange = async (store: DocumentStore, collection: string, range: RangeQuery): Promise<number> => {
  const found = await store.findEntries(collection, range);
  await removeDocuments(store, collection, found);
  return found.length;
};
