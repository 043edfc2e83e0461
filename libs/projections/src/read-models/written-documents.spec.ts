import { beforeEach, expect, it } from '@jest/globals';
import type { Document } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { WrittenDocuments } from '../consumer/read-models-consumer.js';

interface Note extends Document {
  readonly text: string;
}

let store: InMemoryDocumentStore;
let read: string[];
let documents: WrittenDocuments;

const note = (id: string, text: string): Note => ({ id, text });
const notes = async (...ids: string[]) =>
  (await documents.getMany<Note>('own', ids)).toSorted((one, other) => (one.id < other.id ? -1 : 1));

beforeEach(async () => {
  store = new InMemoryDocumentStore();
  read = [];
  await store.ensure([{ name: 'own', indexes: [] }]);
  await store.write([{ collection: 'own', put: [note('a', 'old'), note('b', 'old')] }]);
  const counted = {
    getMany: <D extends Document>(collection: string, ids: readonly string[]) => {
      read.push(...ids.map((id) => `${collection} ${id}`));
      return store.getMany<D>(collection, ids);
    },
  };
  documents = new WrittenDocuments(counted);
});

it('returns the last written documents without a read, together with those that it has to read', async () => {
  documents.remember([{ collection: 'own', put: [note('a', 'new')] }]);
  documents.remember([{ collection: 'own', put: [note('a', 'newer'), note('c', 'new')] }]);
  expect(await notes('a', 'c')).toEqual([note('a', 'newer'), note('c', 'new')]);
  expect(read).toEqual([]);
  expect(await notes('a', 'b')).toEqual([note('a', 'newer'), note('b', 'old')]);
  expect(read).toEqual(['own b']);
});

it('reads removed documents again', async () => {
  documents.remember([{ collection: 'own', put: [note('a', 'new')] }]);
  documents.remember([{ collection: 'own', remove: ['a'] }]);
  await store.write([{ collection: 'own', remove: ['a'] }]);
  expect(await notes('a')).toEqual([]);
});
