import { beforeEach, describe, expect, test } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { type CollectionWrite, type Document, projection, type RecordedEvent } from './index.js';
import { Unwritten } from './unwritten.js';

interface Note extends Document {
  readonly text: string;
}

type Noted =
  | { readonly type: 'added'; readonly data: { readonly note: string; readonly text: string } }
  | { readonly type: 'torn'; readonly data: { readonly note: string } };

/** What is added stands after what was there, so that what was forgotten shows. */
const notes = projection<Note, Noted>({
  name: 'notes',
  version: 1,
  indexes: [],
  on: {
    added: {
      documents: ({ data }) => data.note,
      fold: (note, { data }, id) => ({ id, text: `${note?.text ?? ''}${data.text}` }),
    },
    torn: { documents: ({ data }) => data.note, fold: () => undefined },
  },
});

let store: InMemoryDocumentStore;
let unwritten: Unwritten;
let written: CollectionWrite[];
let position: number;

beforeEach(async () => {
  store = new InMemoryDocumentStore();
  await store.ensure([{ name: 'notes', indexes: [] }]);
  unwritten = new Unwritten(store, [{ projection: notes, collection: 'notes' }]);
  written = [];
  position = 0;
});

const recorded = (event: Noted): RecordedEvent => ({
  ...event,
  id: `e${++position}`,
  stream: 'notes-all',
  revision: position,
  position,
  metadata: { at: 1, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null },
});

const apply = (...events: readonly Noted[]) => unwritten.apply(events.map(recorded));
const added = (note: string, text: string): Noted => ({ type: 'added', data: { note, text } });
const torn = (note: string): Noted => ({ type: 'torn', data: { note } });

const write = (writes: readonly CollectionWrite[]) => {
  written.push(...writes);
  return store.write(writes);
};

const writeAll = async () => {
  await unwritten.write(write);
  await unwritten.written();
};

const textOf = async (id: string) => (await store.get<Note>('notes', id))?.text;

test('what is not yet written is folded on as if it were', async () => {
  await apply(added('a', 'one'));
  await apply(added('a', ' two'));
  expect(await store.count('notes')).toBe(0);
  await writeAll();
  expect(await textOf('a')).toBe('one two');
});

test('what is written is read again when it is needed', async () => {
  await apply(added('a', 'one'));
  await writeAll();
  expect(unwritten.bytes).toBe(0);
  await apply(added('a', ' two'), added('a', ' three'));
  await writeAll();
  expect(await textOf('a')).toBe('one two three');
});

test('a document is written once, as it came to be, in the order of ids', async () => {
  await apply(added('b', 'one'));
  await apply(added('b', ' two'), added('a', 'three'));
  await writeAll();
  const put = [
    { id: 'a', text: 'three', position: 3 },
    { id: 'b', text: 'one two', position: 2 },
  ];
  expect(written).toEqual([{ collection: 'notes', put, remove: [] }]);
});

test('what was seen before is neither folded nor written again', async () => {
  const first = recorded(added('a', 'one'));
  await unwritten.apply([first]);
  await writeAll();
  await unwritten.apply([first]);
  await writeAll();
  expect(written).toHaveLength(1);
});

test('what was never stored is not removed there', async () => {
  await apply(added('a', 'one'));
  await apply(torn('a'));
  await writeAll();
  expect(written).toEqual([]);
});

test('what was stored is removed, and may come again', async () => {
  await apply(added('a', 'one'));
  await writeAll();
  await apply(torn('a'));
  await writeAll();
  expect(await store.count('notes')).toBe(0);
  await apply(added('a', 'two'));
  await writeAll();
  expect(await textOf('a')).toBe('two');
});

test('many changes are handed over in pieces', async () => {
  await apply(...Array.from({ length: 10_250 }, (_, n) => added(String(n).padStart(5, '0'), 'x')));
  await writeAll();
  expect(written.map((write) => write.put?.length)).toEqual([5_000, 5_000, 250]);
});

test('large ones are handed over in more pieces', async () => {
  await apply(...Array.from({ length: 12 }, (_, n) => added(String(n), 'x'.repeat(256 * 1024))));
  expect(unwritten.bytes).toBeGreaterThan(3 * 1024 * 1024);
  await writeAll();
  expect(written.map((write) => write.put?.length)).toEqual([8, 4]);
});

describe('while some are written', () => {
  let mayWrite: PromiseWithResolvers<void>;
  const begin = () =>
    unwritten.write(async (writes) => {
      await mayWrite.promise;
      await write(writes);
    });

  beforeEach(() => {
    mayWrite = Promise.withResolvers();
  });

  test('others are folded on from them', async () => {
    await apply(added('a', 'one'));
    await begin();
    await apply(added('a', ' two'));
    mayWrite.resolve();
    await unwritten.written();
    expect(await textOf('a')).toBe('one');
    await writeAll();
    expect(await textOf('a')).toBe('one two');
  });

  test('one that is being removed is not there for the next', async () => {
    await apply(added('a', 'one'));
    await writeAll();
    await apply(torn('a'));
    await begin();
    await apply(added('a', 'two'));
    mayWrite.resolve();
    await writeAll();
    expect(await textOf('a')).toBe('two');
  });

  test('one that is being written can be removed', async () => {
    await apply(added('a', 'one'));
    await begin();
    await apply(torn('a'));
    mayWrite.resolve();
    await writeAll();
    expect(await store.count('notes')).toBe(0);
  });

  test('the next are handed over only when they are', async () => {
    await apply(added('a', 'one'));
    await begin();
    await apply(added('b', 'two'));
    const next = unwritten.write(write);
    await new Promise(setImmediate);
    expect(written).toEqual([]);
    mayWrite.resolve();
    await next;
    await unwritten.written();
    expect(written.map(({ put }) => put?.map(({ id }) => id))).toEqual([['a'], ['b']]);
  });

  test('a failure is told to whoever comes next', async () => {
    await apply(added('a', 'one'));
    await begin();
    mayWrite.reject(new Error('disk full'));
    await expect(unwritten.write(write)).rejects.toThrow('disk full');
    await expect(unwritten.written()).rejects.toThrow('disk full');
  });
});
