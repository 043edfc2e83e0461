import { expect, it } from '@jest/globals';
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

/** Checks that the entries of the index agree with the documents. */
export const findIds = async (store: DocumentStore, collection: string, query: Omit<RangeQuery, 'limit'>) => {
  const documents = await store.find(collection, { limit: 100, ...query });
  const entries = await store.findEntries(collection, { limit: 100, ...query });
  const said = (entry: Document, document: Document | undefined) =>
    Object.keys(entry).map((member) => [member, (document && Reflect.get(document, member)) ?? null]);
  expect(entries).toEqual(entries.map((entry, n) => Object.fromEntries(said(entry, documents[n]))));
  expect(entries).toHaveLength(documents.length);
  return idsOf(documents);
};

export const numbered = (count: number): { id: string; number: number }[] =>
  Array.from({ length: count }, (_, number) => ({ id: `d${number}`, number }));

/** A test that is reported as skipped, with the reason, where there is one. */
export const itUnless =
  (reason: string | undefined) =>
  (name: string, test: () => Promise<void>): void => {
    if (reason === undefined) it(name, test);
    else it.skip(`${name} (${reason})`, test);
  };
