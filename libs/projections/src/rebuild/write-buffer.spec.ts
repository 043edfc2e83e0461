import { beforeEach, describe, expect, test } from '@jest/globals';
import { type CollectionWrite, type Document, projection, type RecordedEvent } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { WriteBuffer } from './write-buffer.js';

interface Note extends Document {
  readonly text: string;
}

type Noted =
  | { readonly type: 'added'; readonly data: { readonly note: string; readonly text: string } }
  | { readonly type: 'torn'; readonly data: { readonly note: string } };

/** Each event appends to the text, so that a lost event shows. */
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
let buffer: WriteBuffer;
let written: CollectionWrite[];
let position: number;

beforeEach(async () => {
  store = new InMemoryDocumentStore();
  await store.ensure([{ name: 'notes', indexes: [] }]);
  buffer = new WriteBuffer(store, [{ projection: notes, collection: 'notes' }]);
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

const apply = (...events: readonly Noted[]) => buffer.apply(events.map(recorded));
const added = (note: string, text: string): Noted => ({ type: 'added', data: { note, text } });
const torn = (note: string): Noted => ({ type: 'torn', data: { note } });

const write = (writes: readonly CollectionWrite[]) => {
  written.push(...writes);
  return store.write(writes);
};

const flushAll = async () => {
  await buffer.flush(write);
  await buffer.flushed();
};

const textOf = async (id: string) => (await store.get<Note>('notes', id))?.text;

test('a document that was written is read again when an event needs it', async () => {
  await apply(added('a', 'one'));
  await flushAll();
  expect(buffer.bytes).toBe(0);
  await apply(added('a', ' two'), added('a', ' three'));
  await flushAll();
  expect(await textOf('a')).toBe('one two three');
});

test('each document is written once, in its last state, in the order of the ids', async () => {
  await apply(added('b', 'one'));
  await apply(added('b', ' two'), added('a', 'three'));
  await flushAll();
  const put = [
    { id: 'a', text: 'three', position: 3 },
    { id: 'b', text: 'one two', position: 2 },
  ];
  expect(written).toEqual([{ collection: 'notes', put, remove: [] }]);
});

test('a document that was never stored is not removed from the store', async () => {
  await apply(added('a', 'one'));
  await apply(torn('a'));
  await flushAll();
  expect(written).toEqual([]);
});

test('many changes are written in batches', async () => {
  await apply(...Array.from({ length: 10_250 }, (_, n) => added(String(n).padStart(5, '0'), 'x')));
  await flushAll();
  expect(written.map((write) => write.put?.length)).toEqual([5_000, 5_000, 250]);
});

test('large documents are written in smaller batches', async () => {
  await apply(...Array.from({ length: 12 }, (_, n) => added(String(n), 'x'.repeat(256 * 1024))));
  expect(buffer.bytes).toBeGreaterThan(3 * 1024 * 1024);
  await flushAll();
  expect(written.map((write) => write.put?.length)).toEqual([8, 4]);
});

describe('while a flush is under way', () => {
  let mayWrite: PromiseWithResolvers<void>;
  const startFlush = () =>
    buffer.flush(async (writes) => {
      await mayWrite.promise;
      await write(writes);
    });

  beforeEach(() => {
    mayWrite = Promise.withResolvers();
  });

  test('events are folded into the documents that are being written', async () => {
    await apply(added('a', 'one'));
    await startFlush();
    await apply(added('a', ' two'));
    mayWrite.resolve();
    await buffer.flushed();
    expect(await textOf('a')).toBe('one');
    await flushAll();
    expect(await textOf('a')).toBe('one two');
  });

  test('a document that is being removed does not exist for the next event', async () => {
    await apply(added('a', 'one'));
    await flushAll();
    await apply(torn('a'));
    await startFlush();
    await apply(added('a', 'two'));
    mayWrite.resolve();
    await flushAll();
    expect(await textOf('a')).toBe('two');
  });

  test('a document that is being written can be removed', async () => {
    await apply(added('a', 'one'));
    await startFlush();
    await apply(torn('a'));
    mayWrite.resolve();
    await flushAll();
    expect(await store.count('notes')).toBe(0);
  });

  test('the next flush waits for it', async () => {
    await apply(added('a', 'one'));
    await startFlush();
    await apply(added('b', 'two'));
    const next = buffer.flush(write);
    await new Promise(setImmediate);
    expect(written).toEqual([]);
    mayWrite.resolve();
    await next;
    await buffer.flushed();
    expect(written.map(({ put }) => put?.map(({ id }) => id))).toEqual([['a'], ['b']]);
  });

  test('its failure rejects the next flush', async () => {
    await apply(added('a', 'one'));
    await startFlush();
    mayWrite.reject(new Error('disk full'));
    await expect(buffer.flush(write)).rejects.toThrow('disk full');
    await expect(buffer.flushed()).rejects.toThrow('disk full');
  });
});
