import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { DocumentStore, Projected } from '#kernel';
import { ReadModelComparison, VersionMismatch } from './comparison.js';
import { type Count, Counting, counts } from './counting.fixtures.js';
import { readModelStatus } from './read-model-tools.js';
import { Rebuild } from './rebuild/rebuild.js';
import { LIVE_COLLECTIONS, type LiveCollection } from './stored-live-collections.js';

let counting: Counting;

beforeEach(async () => {
  counting = await Counting.open();
});

afterEach(() => counting.log.close());

const compare = () => {
  return new ReadModelComparison(counting.log, counting.store).run([counts(1)]);
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
    expect(await counting.store.collections()).toEqual([LIVE_COLLECTIONS.name, 'counts_v1_1']);
    await runner.stop();
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

  test.each([
    ['newer', 'counted.v1'],
    ['removed', 'forgotten.v1'],
  ] as const)('is certain of a difference only when both sides have passed the same position: %s', async (_, type) => {
    const { store } = counting;
    const { runner, reached } = counting.running(counts(1), 'runner');
    for (let n = 0; n < 30; n++) await counting.append(`k${n % 7}`);
    await reached();
    let reads = 0;
    // The lane goes on when the candidates are read.
    const getMany: DocumentStore['getMany'] = async (collection, ids) => {
      if (collection === 'counts_v1_1' && ids.includes('k0') && ++reads === 2) {
        await counting.append('k0', type);
        await reached();
      }
      return store.getMany(collection, ids);
    };
    for (const id of ['k0', 'k1']) await put({ id, count: 7 });
    const watched: DocumentStore = Object.assign(Object.create(store), { getMany });
    const { differences } = await new ReadModelComparison(counting.log, watched).run([counts(1)]);
    // The lane, which keeps what it has written, has put the other one right.
    expect(differences.map(({ id }) => id)).toEqual(['k1']);
    expect(reads).toBeGreaterThan(1);
    await runner.stop();
  });

  test('begins again when a rebuild replaces the live collection, or another comparison this one', async () => {
    const { log, store } = counting;
    const { runner, reached } = counting.running(counts(1), 'runner');
    for (let n = 0; n < 30; n++) await counting.append(`k${n % 7}`);
    await reached();
    let others: Promise<unknown> | undefined;
    const { onProgress, done } = atFirstProgress(async () => {
      others = Promise.all([compare(), new Rebuild(log, store).run([counts(1)])]);
    });
    expect((await new ReadModelComparison(log, store).run([counts(1)], onProgress)).differences).toEqual([]);
    await done;
    await others;
    expect(await store.collections()).toEqual([LIVE_COLLECTIONS.name, (await counting.live())?.collection]);
    await runner.stop();
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
    const live: LiveCollection = { id: 'counts', collection: 'counts_v1_1', version: 2 };
    await counting.store.write([{ collection: LIVE_COLLECTIONS.name, put: [live] }]);
    await expect(compare()).rejects.toThrow(VersionMismatch);
  });
});

describe('the status', () => {
  const status = async () => {
    const { log, store } = counting;
    return (await readModelStatus([counts(1)], log, store))[0];
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
    const { runner, reached } = counting.running(counts(1), 'runner');
    await reached();
    await new Rebuild(log, store).run([counts(1)], onProgress);
    await done;
    expect(seen).toEqual([true]);
    expect(await status()).toMatchObject({ isBeingRebuilt: false, live: { documents: 1 } });
    await runner.stop();
  });

  test('is read again when a rebuild drops the collection whose name was read', async () => {
    const { log, store } = counting;
    await counting.append('a');
    const { runner, reached } = counting.running(counts(1), 'runner');
    await reached();
    const count = store.count.bind(store);
    const counted = jest.spyOn(store, 'count').mockImplementationOnce(async (collection) => {
      await new Rebuild(log, store).run([counts(1)]);
      return count(collection);
    });
    const { live } = (await status()) ?? {};
    expect(live).toMatchObject({ collection: (await counting.live())?.collection, documents: 1 });
    counted.mockRestore();
    await runner.stop();
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
