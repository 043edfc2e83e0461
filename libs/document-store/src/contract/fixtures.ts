import type { Document, DocumentStore, IndexDefinition, RangeQuery } from '#kernel';

let made = 0;

/** A name that no other test of the run uses, so that all of them can share a store. */
export const freshName = (about: string): string => `${about}_${++made}`;

/** A new collection with these indexes and documents. */
export const collectionWith = async (
  store: DocumentStore,
  documents: readonly Document[],
  indexes: readonly IndexDefinition[] = [],
): Promise<string> => {
  const name = freshName('things');
  await store.ensure([{ name, indexes }]);
  await store.write([{ collection: name, put: documents }]);
  return name;
};

export const idsOf = (documents: readonly Document[]): string[] => documents.map(({ id }) => id);

export const findIds = async (store: DocumentStore, collection: string, query: Omit<RangeQuery, 'limit'>) =>
  idsOf(await store.find(collection, { limit: 100, ...query }));

export const numbered = (count: number): { id: string; number: number }[] =>
  Array.from({ length: count }, (_, number) => ({ id: `d${number}`, number }));
