import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type DocumentStore, StoreUnavailable } from '#kernel';
import { openMongoDbDocumentStore } from './open.js';
import { emptyDatabase } from './testing/empty-database.js';
import { Relay } from './testing/relay.js';

const database = emptyDatabase();
const suite = database === undefined ? describe.skip : describe;

/** However busy the machine is. */
const withRetries = async <T>(task: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + 25_000;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() > deadline) throw error;
    }
  }
};

/** Waiting for a server, and once more for an answer, with some time for a machine that is busy. */
const IN_TIME = 20_000;

suite(`while MongoDB cannot be reached${database === undefined ? ', as MONGODB_URL is not set' : ''}`, () => {
  let relay: Relay;
  let store: DocumentStore;
  beforeAll(async () => {
    relay = await Relay.to(database?.url ?? '');
    store = openMongoDbDocumentStore({ url: relay.url });
    await withRetries(() => store.ensure([{ name: 'things', indexes: [{ name: 'by_id', fields: [] }] }]));
    await withRetries(() => store.write([{ collection: 'things', put: [{ id: 'a' }] }]));
  });
  afterEach(() => relay.heal());
  afterAll(async () => {
    await store.close();
    relay.close();
  });

  const everyKind = (): Promise<unknown>[] => [
    store.get('things', 'a'),
    store.find('things', { index: 'by_id', limit: 1 }),
    store.findEntries('things', { index: 'by_id', limit: 1 }),
    store.write([{ collection: 'things', put: [{ id: 'b' }] }]),
    store.write([], { name: 'runner', position: 2, fence: 1 }),
    store.compareAndSet('things', { id: 'c' }, null),
    store.acquireLease('lease', 'me', 1, 2),
    store.increment('counter', 1, 4_000_000_000_000),
    store.ensure([{ name: 'others', indexes: [] }]),
  ];

  it.each(['hang', 'cut'] as const)('is unavailable soon, and recovers without a restart: %s', async (fault) => {
    relay[fault]();
    const began = performance.now();
    for (const { status, ...outcome } of await Promise.allSettled(everyKind())) {
      expect({ status, ...outcome }).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    }
    expect(performance.now() - began).toBeLessThan(IN_TIME);
    relay.heal();
    expect(await withRetries(() => store.get('things', 'a'))).toEqual({ id: 'a' });
    expect(await withRetries(() => store.increment('counter', 1, 4_000_000_000_000))).toBeGreaterThan(0);
  });

  it('answers background work after a time that a request would not wait', async () => {
    const background = openMongoDbDocumentStore({ url: relay.url, work: 'background' });
    await withRetries(() => background.get('things', 'a'));
    await withRetries(() => store.get('things', 'a'));
    relay.hang();
    const written = background.write([{ collection: 'things', put: [{ id: 'd' }] }]);
    await expect(store.get('things', 'a')).rejects.toThrow('did not answer in time');
    relay.heal();
    await written;
    expect(await withRetries(() => store.get('things', 'd'))).toEqual({ id: 'd' });
    await background.close();
  });

  it('continues after connections that broke', async () => {
    for (let position = 2; position < 6; position++) {
      relay.cut();
      relay.heal();
      const checkpoint = { name: 'runner', position, fence: 1 };
      await withRetries(() => store.write([{ collection: 'things', put: [{ id: 'a' }] }], checkpoint));
      expect(await store.checkpoint('runner')).toEqual({ name: 'runner', position, fence: 1 });
    }
  });
});

it('shows no password, neither of a URL that cannot be read nor of a server that cannot be reached', async () => {
  expect(() => openMongoDbDocumentStore({ url: 'mongodb://me:hunter2@one:two:three/' })).toThrow(/^(?!.*hunter2)/s);
  const store = openMongoDbDocumentStore({ url: 'mongodb://me:hunter2@127.0.0.1:1/x' });
  const error: unknown = await store.checkpoint('runner').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreUnavailable);
  expect(`${error} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain('hunter2');
  await store.close();
});
