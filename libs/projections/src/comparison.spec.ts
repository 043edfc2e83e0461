import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type DocumentStore, type Projected, systemClock, WORKER_LEASE } from '#kernel';
import { ReadModelComparison } from './comparison.js';
import { type Count, Counting, counts, LANE } from './counting.fixtures.js';
import { READ_MODELS } from './engine/read-models-runner.js';
import { readModelStatus } from './read-model-status.js';
import { Rebuild } from './rebuild/rebuild.js';
import { VersionMismatch } from './runner-comparison.js';
import { LIVE_COLLECTIONS, type LiveCollection } from './stored-live-collections.js';

let counting: Counting;

beforeEach(async () => {
  counting = await Counting.open();
});

afterEach(() => counting.log.close());

const compare = () => {
  const { log, store } = counting;
  return new ReadModelComparison([counts(1)], log, store, systemClock).run([counts(1)]);
};
const put = async (change: Partial<Projected<Count>> & { readonly id: string }) => {
  const collection = (await counting.live())?.collection ?? '';
  const now = await counting.store.get<Projected<Count>>(collection, change.id);
  await counting.store.write([{ collection, put: [{ ...now, ...change }] }]);
};

describe('a comparison', () => {
  test('finds no difference if the live documents are what the log yields', async () => {
    const { runner, reached } = counting.running(counts(1), 'runner');
    for (let n = 0; n < 30; n++) await counting.append(`k${n % 7}`);
    await counting.append('k3', 'forgotten.v1');
    await reached();
    expect(await compare()).toEqual({
      readModels: [{ name: 'counts', collection: 'counts_v1_1', documents: 6 }],
      differences: [],
    });
    await expect(counting.store.count('counts_v1_2')).rejects.toThrow('counts_v1_2');
    await runner.stop();
  });

  test('finds none in a read model that is behind and has no runner: it catches up first', async () => {
    for (let n = 0; n < 30; n++) await counting.append(`k${n % 7}`);
    expect((await compare()).differences).toEqual([]);
    expect(await counting.count('k0')).toBe(5);
    expect((await counting.store.checkpoint(LANE))?.position).toBe(await counting.log.head());
  });

  test('finds none while much is appended', async () => {
    const { runner, reached } = counting.running(counts(1), 'runner', () => delay(1));
    for (let n = 0; n < 2_000; n++) await counting.append(`k${n % 1_500}`);
    let appending = true;
    const writer = (async () => {
      for (let n = 0; appending; n++) {
        await counting.append(`k${(n * 7) % 1_500}`, n % 3 === 0 ? 'forgotten.v1' : 'counted.v1');
        if (n % 5 === 0) await delay(1);
      }
    })();
    for (let times = 0; times < 3; times++) expect((await compare()).differences).toEqual([]);
    appending = false;
    await writer;
    await reached();
    await runner.stop();
  });

  test('compares again when another process has continued the runner in the meantime', async () => {
    const { log, store } = counting;
    const first = counting.running(counts(1), 'runner');
    for (let n = 0; n < 30; n++) await counting.append(`k${n % 7}`);
    await first.reached();
    await first.runner.stop();
    // Until the comparison pauses the runner, this document differs.
    await put({ id: 'k0', count: 7 });
    let continued: ReturnType<Counting['running']> | undefined;
    const getMany: DocumentStore['getMany'] = async (collection, ids) => {
      const held = await store.lease(WORKER_LEASE);
      if (collection === 'counts_v1_1' && held !== undefined && continued === undefined) {
        await put({ id: 'k0', count: 5 });
        await counting.append('k0');
        await store.releaseLease(WORKER_LEASE, held.holder);
        continued = counting.running(counts(1), 'other');
        await continued.reached();
      }
      return store.getMany(collection, ids);
    };
    const watched: DocumentStore = Object.assign(Object.create(store), { getMany });
    const { differences } = await new ReadModelComparison([counts(1)], log, watched, systemClock).run([counts(1)]);
    expect(differences).toEqual([]);
    expect(await counting.count('k0')).toBe(6);
    await continued?.runner.stop();
  });

  test('finds documents that differ, that are missing and that should not exist, among others and on their own', async () => {
    const { runner, reached } = counting.running(counts(1), 'runner');
    for (let n = 0; n < 2_200; n++) await counting.append(`k${String(n).padStart(4, '0')}`);
    await reached();
    await put({ id: 'k1500', count: 7 });
    await put({ id: 'k0000', position: 2_000 });
    await put({ id: 'stray', count: 1, note: '', position: 1 });
    await counting.store.write([{ collection: 'counts_v1_1', remove: ['k2199'] }]);
    const { differences } = await compare();
    expect(differences.map(({ id, live, rebuilt }) => ({ id, live, rebuilt }))).toEqual([
      {
        id: 'k0000',
        live: expect.objectContaining({ position: 2_000 }),
        rebuilt: expect.objectContaining({ count: 1 }),
      },
      { id: 'k1500', live: expect.objectContaining({ count: 7 }), rebuilt: expect.objectContaining({ count: 1 }) },
      { id: 'stray', live: expect.objectContaining({ count: 1 }), rebuilt: undefined },
      { id: 'k2199', live: undefined, rebuilt: expect.objectContaining({ count: 1 }) },
    ]);
    await runner.stop();
  });

  test('ignores operational fields', async () => {
    const { runner, reached } = counting.running(counts(1), 'runner');
    await counting.append('a');
    await reached();
    await put({ id: 'a', note: 'taken' });
    expect((await compare()).differences).toEqual([]);
    await runner.stop();
  });

  test('is refused for a read model of another version', async () => {
    await new Rebuild(counting.log, counting.store, systemClock).run([counts(2)]);
    await expect(compare()).rejects.toThrow(VersionMismatch);
  });
});

describe('the status', () => {
  const status = async () => {
    const { log, store } = counting;
    return (await readModelStatus([counts(1)], log, store, systemClock.now()))[0];
  };

  test('shows how many events a read model does not reflect yet', async () => {
    for (let n = 0; n < 3; n++) await counting.append('a');
    const first = { collection: 'counts_v1_1', version: 1 };
    expect(await status()).toEqual({
      name: 'counts',
      version: 1,
      live: { ...first, documents: 0 },
      behind: 3,
      isBeingRebuilt: false,
      isMissingEvents: false,
    });
    const { runner, reached } = counting.running(counts(1), 'runner');
    await reached();
    expect(await status()).toMatchObject({ live: { documents: 1 }, behind: 0 });
    await runner.stop();
  });

  test('shows a rebuild while it is under way', async () => {
    const { log, store } = counting;
    await counting.append('a');
    const seen: boolean[] = [];
    const { onProgress, done } = atFirstProgress(async () => seen.push((await status())?.isBeingRebuilt === true));
    await new Rebuild(log, store, systemClock).run([counts(1)], onProgress);
    await done;
    expect(seen).toEqual([true]);
    expect(await status()).toMatchObject({ isBeingRebuilt: false, live: { collection: 'counts_v1_2' } });
  });

  test('is read again when a rebuild drops the collection whose name was read', async () => {
    const { log, store } = counting;
    await counting.append('a');
    const count = store.count.bind(store);
    const counted = jest.spyOn(store, 'count').mockImplementationOnce(async (collection) => {
      await new Rebuild(log, store, systemClock).run([counts(1)]);
      return count(collection);
    });
    expect(await status()).toMatchObject({ live: { collection: 'counts_v1_2', documents: 1 } });
    counted.mockRestore();
  });

  test('does not show a rebuild whose process was killed', async () => {
    const { store } = counting;
    const lease = await store.acquireLease(`rebuild:${READ_MODELS}`, 'elsewhere/1/1/', 0, systemClock.now() + 60_000);
    const shadow = { collection: 'counts_v1_2', fence: lease?.fence ?? 0 };
    const live: LiveCollection = { id: 'counts', collection: 'counts_v1_1', version: 1, shadow };
    await store.write([{ collection: LIVE_COLLECTIONS.name, put: [live] }]);
    expect(await status()).toMatchObject({ isBeingRebuilt: true });
    await store.releaseLease(`rebuild:${READ_MODELS}`, 'elsewhere/1/1/');
    expect(await status()).toMatchObject({ isBeingRebuilt: false });
  });
});

/** Runs the task at the first report of progress; the promise resolves when it has run. */
const atFirstProgress = (task: () => Promise<unknown>) => {
  const { promise: done, resolve } = Promise.withResolvers<unknown>();
  let isFirst = true;
  const onProgress = () => {
    if (isFirst) resolve(task());
    isFirst = false;
  };
  return { onProgress, done };
};
