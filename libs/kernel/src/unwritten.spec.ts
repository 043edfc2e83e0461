import { beforeEach, expect, test } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import type { CollectionWrite, Document } from './index.js';
import { Unwritten } from './unwritten.js';

interface Note extends Document {
  readonly text: string;
}

let store: InMemoryDocumentStore;
let unwritten: Unwritten;
let written: CollectionWrite[];

beforeEach(async () => {
  store = new InMemoryDocumentStore();
  await store.ensure([{ name: 'notes', indexes: [] }]);
  unwritten = new Unwritten(store);
  written = [];
});

const change = async ({ put = [], remove = [] }: { put?: readonly Note[]; remove?: readonly string[] }) => {
  await unwritten.getMany('notes', [...put.map(({ id }) => id), ...remove]);
  unwritten.take([{ collection: 'notes', put, remove }]);
};

const writeAll = () =>
  unwritten.write((writes) => {
    written.push(...writes);
    return store.write(writes);
  });

const get = (...ids: string[]) => unwritten.getMany<Note>('notes', ids);

test('what is not yet written is read as if it were', async () => {
  await change({ put: [{ id: 'a', text: 'one' }] });
  expect(await get('a', 'b')).toEqual([{ id: 'a', text: 'one' }]);
  expect(await store.count('notes')).toBe(0);
});

test('what is written is read again when it is needed', async () => {
  await change({ put: [{ id: 'a', text: 'one' }] });
  await writeAll();
  expect(unwritten.size).toBe(0);
  expect(await get('a')).toEqual([{ id: 'a', text: 'one' }]);
});

test('a document is written once, as it came to be, in the order of ids', async () => {
  await change({ put: [{ id: 'b', text: 'one' }] });
  await change({
    put: [
      { id: 'b', text: 'two' },
      { id: 'a', text: 'three' },
    ],
  });
  await writeAll();
  const put = [
    { id: 'a', text: 'three' },
    { id: 'b', text: 'two' },
  ];
  expect(written).toEqual([{ collection: 'notes', put, remove: [] }]);
});

test('what was only read is not written', async () => {
  await change({ put: [{ id: 'a', text: 'one' }] });
  await writeAll();
  await get('a');
  await writeAll();
  expect(written).toHaveLength(1);
});

test('what was never stored is not removed there', async () => {
  await change({ put: [{ id: 'a', text: 'one' }] });
  await change({ remove: ['a'] });
  await writeAll();
  expect(written).toEqual([]);
});

test('what was stored is removed, and may come again', async () => {
  await change({ put: [{ id: 'a', text: 'one' }] });
  await writeAll();
  await change({ remove: ['a'] });
  expect(await get('a')).toEqual([]);
  await writeAll();
  expect(await store.count('notes')).toBe(0);
  await change({ put: [{ id: 'a', text: 'two' }] });
  await writeAll();
  expect(await store.get('notes', 'a')).toEqual({ id: 'a', text: 'two' });
});

test('many changes are handed over in pieces', async () => {
  const put = Array.from({ length: 9_000 }, (_, n) => ({ id: String(n).padStart(5, '0'), text: 'x' }));
  await change({ put });
  await writeAll();
  expect(written.map((write) => write.put?.length)).toEqual([4_000, 4_000, 1_000]);
});
