import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { endOf, Leases, takeCheckpoint } from '#jobs';
import { type Document, Fenced, type Projected, systemClock, WORKER_LEASE } from '#kernel';
import { eventually } from '#testing';
import { ReadModelComparison } from '../comparison.js';
import { type Count, Counting, counts, LANE } from '../counting.fixtures.js';
import { READ_MODELS } from '../engine/read-models-runner.js';
import { readModelStatus } from '../read-model-status.js';
import { ReadModelsConsumer } from '../read-models/read-models-consumer.js';
import { LIVE_COLLECTIONS, StoredLiveCollections } from '../stored-live-collections.js';
import { dropAllButLive } from './drop-all-but-live.js';
import { Rebuild } from './rebuild.js';
import { rebuildLease } from './rebuild-lock.js';
import type { RebuildProgress } from './rebuild-targets.js';

let counting: Counting;

beforeEach(async () => {
  counting = await Counting.open();
});

afterEach(() => counting.log.close());

const running = new AbortController().signal;
const rebuild = () => new Rebuild(counting.log, counting.store, systemClock);
const collection = async () => (await counting.live())?.collection;

describe('a rebuild', () => {
  test('fills another collection from the whole log, switches to it and drops the replaced one', async () => {
    for (let n = 0; n < 7; n++) await counting.append('a');
    const head = await counting.log.head();
    await rebuild().run([counts(1)]);
    expect(await counting.live()).toEqual({ id: 'counts', collection: 'counts_v1_2', version: 1 });
    expect(await counting.count('a')).toBe(7);
    expect(await counting.log.head()).toBe(head);
    expect((await counting.store.collections()).toSorted()).toEqual(['counts_v1_2', LIVE_COLLECTIONS.name]);
  });

  test('pauses the runner that keeps the read model, and no other', async () => {
    await counting.append('a');
    const paused = async (runner: string) => (await counting.store.checkpoint(runner)) !== undefined;
    await rebuild().run([{ ...counts(1), runner: 'of the dashboard' }]);
    expect([await paused('of the dashboard'), await paused(LANE)]).toEqual([true, false]);
    expect(await counting.count('a')).toBe(1);
  });

  test('creates the indexes of the collection', async () => {
    for (const what of ['a', 'b', 'b']) await counting.append(what);
    await rebuild().run([counts(1)]);
    const query = { index: 'count', gt: 1, limit: 9 };
    expect(await counting.store.find((await collection()) ?? '', query)).toMatchObject([{ id: 'b' }]);
  });

  test('drops the replaced collection only when no reader uses its name any more', async () => {
    await counting.append('a');
    const { store } = counting;
    const live = new StoredLiveCollections(store);
    const before = await live.of(counts(1));
    let used: string | undefined;
    const drop = store.drop.bind(store);
    jest.spyOn(store, 'drop').mockImplementation(async (name) => {
      if (name === before) used = await live.of(counts(1));
      return drop(name);
    });
    await rebuild().run([counts(1)]);
    expect([before, used]).toEqual(['counts_v1_1', 'counts_v1_2']);
  });

  test('starts again after an interrupted rebuild', async () => {
    await counting.append('a');
    await counting.store.ensure([{ name: 'counts_v1_2', indexes: [] }]);
    await counting.store.write([{ collection: 'counts_v1_2', put: [{ id: 'stray' }] }]);
    await rebuild().run([counts(1)]);
    expect(await counting.store.count('counts_v1_2')).toBe(1);
  });

  test('D72: what an interrupted first rebuild has left is dropped, and the collection that readers use is kept', async () => {
    const { store } = counting;
    const name = LIVE_COLLECTIONS.name;
    await store.write([{ collection: name, remove: ['counts'] }]);
    await store.ensure(['counts_v1_2', 'counts_v1_7'].map((left) => ({ name: left, indexes: [] })));
    await dropAllButLive(store, [counts(1)]);
    expect((await store.collections()).toSorted()).toEqual(['counts_v1_1', name]);
  });

  test('D72: what a kill between switch and drop left is dropped by the next rebuild', async () => {
    const { store } = counting;
    const killed = new Error('killed');
    const drop = store.drop.bind(store);
    store.drop = async (name) => {
      if (name === 'counts_v1_1') throw killed;
      return drop(name);
    };
    await expect(rebuild().run([counts(1)])).rejects.toBe(killed);
    store.drop = drop;
    expect(await store.collections()).toContain('counts_v1_1');
    const others = ['counts_v1', 'counts_v1_1_x', 'other_counts_v1_1', 'counts_vx_1'];
    await store.ensure(others.map((name) => ({ name, indexes: [] })));
    await rebuild().run([counts(1)]);
    const left = await store.collections();
    expect(left).not.toContain('counts_v1_1');
    expect(left).toEqual(expect.arrayContaining(others));
    expect(left).toContain(await collection());
  });

  test('switches nothing when another process has taken its lease, also if it has nothing left to write', async () => {
    await counting.append('a');
    const { store } = counting;
    const ensure = store.ensure.bind(store);
    const taken = jest.spyOn(store, 'ensure').mockImplementation(async (definitions) => {
      if (definitions.some(({ indexes }) => indexes.length > 0))
        await takeCheckpoint(store, rebuildLease(READ_MODELS), 99);
      return ensure(definitions);
    });
    await expect(rebuild().run([counts(1)])).rejects.toThrow(Fenced);
    taken.mockRestore();
    expect(await collection()).toBe('counts_v1_1');
  });

  test('does not change the live collection when it is aborted', async () => {
    await counting.append('a');
    const stop = new AbortController();
    stop.abort();
    await expect(rebuild().runOutdated([counts(2)], stop.signal)).rejects.toBe(stop.signal.reason);
    expect(await collection()).toBe('counts_v1_1');
  });

  test('waits for another rebuild', async () => {
    await counting.append('a');
    await Promise.all([rebuild().run([counts(1)]), rebuild().run([counts(1)])]);
    expect(await collection()).toBe('counts_v1_3');
    expect(await counting.count('a')).toBe(1);
  });

  test('keeps the operational fields of documents that no event has changed since', async () => {
    const { store } = counting;
    for (const what of ['a', 'b']) await counting.append(what);
    await rebuild().run([counts(1)]);
    const note = async (what: string, text: string) => {
      const live = (await collection()) ?? '';
      const document = await store.get<Projected<Count>>(live, what);
      const noted = { ...document, id: what, note: text };
      await store.write([{ collection: live, put: [noted] }]);
    };
    const noteOf = async (what: string) => (await store.get<Count>((await collection()) ?? '', what))?.note;
    await note('a', 'taken');
    await rebuild().run([counts(1)]);
    expect([await collection(), await noteOf('a'), await noteOf('b')]).toEqual(['counts_v1_3', 'taken', '']);
    await note('b', 'postponed');
    // An event has changed the document, so its operational fields start again.
    await counting.append('a');
    await rebuild().run([counts(1)]);
    expect([await collection(), await noteOf('a'), await noteOf('b')]).toEqual(['counts_v1_4', '', 'postponed']);
  });

  test('reports how many events it has folded, and how much of the log it has read', async () => {
    for (let n = 0; n < 2_500; n++) await counting.append('a');
    const reported: RebuildProgress[] = [];
    await rebuild().run([counts(1)], (progress) => reported.push(progress));
    expect(reported.map(({ events }) => events).slice(0, 3)).toEqual([1_000, 2_000, 2_500]);
    expect(reported.map(({ share }) => share).slice(0, 3)).toEqual([0.4, 0.8, 1]);
  });
});

describe('what an earlier build has kept for a way back', () => {
  beforeEach(async () => {
    const { store } = counting;
    await store.ensure([{ name: 'counts_v1_2', indexes: [] }]);
    const replaced = { collection: 'counts_v1_2', version: 1, position: 0 };
    const live = { id: 'counts', collection: 'counts_v1_1', version: 1, replaced };
    await store.write([{ collection: LIVE_COLLECTIONS.name, put: [live] }]);
  });

  const isDropped = async () => {
    expect(await counting.store.collections()).not.toContain('counts_v1_2');
    expect(await counting.live()).toEqual({ id: 'counts', collection: 'counts_v1_1', version: 1 });
  };

  test('is dropped once', async () => {
    await rebuild().dropKept([counts(1)], running);
    await isDropped();
    const taken = jest.spyOn(counting.store, 'acquireLease');
    await rebuild().dropKept([counts(1)], running);
    expect(taken).not.toHaveBeenCalled();
  });

  test('is dropped by the next start if the first one was killed in between', async () => {
    const { store } = counting;
    const killed = new Error('killed');
    const drop = jest.spyOn(store, 'drop').mockImplementation(() => Promise.reject(killed));
    await expect(rebuild().dropKept([counts(1)], running)).rejects.toBe(killed);
    drop.mockRestore();
    await rebuild().dropKept([counts(1)], running);
    await isDropped();
  });

  test('does not stop a rebuild from taking its name', async () => {
    await counting.append('a');
    await rebuild().run([counts(1)]);
    expect(await counting.live()).toEqual({ id: 'counts', collection: 'counts_v1_2', version: 1 });
    expect(await counting.count('a')).toBe(1);
  });
});

describe('a changed version', () => {
  test('is filled from the whole log, though the runner is past it', async () => {
    for (let n = 0; n < 3; n++) await counting.append('a');
    const position = await counting.log.head();
    await counting.store.write([], { name: LANE, position, fence: 1 });
    await rebuild().runOutdated([counts(2, 10)], running);
    expect(await counting.live()).toEqual({ id: 'counts', collection: 'counts_v2_2', version: 2 });
    expect(await counting.count('a')).toBe(30);
    expect((await counting.store.checkpoint(LANE))?.position).toBe(position);
  });

  test('is filled once by two processes that start concurrently', async () => {
    await Promise.all([rebuild().runOutdated([counts(2)], running), rebuild().runOutdated([counts(2)], running)]);
    expect(await collection()).toBe('counts_v2_2');
  });

  test('does not change a read model of this version', async () => {
    await rebuild().runOutdated([counts(1)], running);
    expect(await collection()).toBe('counts_v1_1');
  });

  test('takes the runner from a process of another version, and gives it to one of the same version', async () => {
    await counting.append('a');
    const old = counting.running(counts(1), 'old');
    await old.reached();
    await rebuild().runOutdated([counts(2, 10)], running);
    const current = counting.running(counts(2, 10), 'new');
    await counting.append('a');
    await current.reached();
    expect(await counting.count('a')).toBe(20);
    await Promise.all([old.runner.stop(), current.runner.stop()]);
  });
});

describe('D112: after an older build has run in between', () => {
  /** Handles what there is, as a process of this build that starts and stops. */
  const runBuild = async (version = 1) => {
    const consumer = new ReadModelsConsumer(counting.store, rebuild(), [counts(version)]);
    const { runner, reached } = counting.runningConsumer(consumer, 'this build');
    await reached();
    await runner.stop();
  };
  const status = async () => (await readModelStatus([counts(1)], counting.log, counting.store, 0))[0];
  /** It does not know the read model: it moves the checkpoint, and folds nothing. */
  const runOlderBuild = async (list?: Readonly<Record<string, number>>, isNamed = true) => {
    await counting.append('a');
    await counting.append('b');
    const { position, event } = await endOf(counting.log);
    const fence = ((await counting.store.checkpoint(LANE))?.fence ?? 0) + 1;
    const named = event && { ...event, ...(list && { readModels: list }) };
    await counting.store.write([], { name: LANE, position, fence, event: isNamed ? named : undefined });
    await counting.append('b');
  };

  test.each([
    ['names no read models', undefined, true],
    ['names others', { others: 1 }, true],
    ['names another version of it', { counts: 2 }, true],
    ['names not even its event', undefined, false],
  ])('a read model is rebuilt when the checkpoint %s', async (_, list, isNamed) => {
    await counting.append('a');
    await runBuild();
    expect(await status()).toMatchObject({ behind: 0, isMissingEvents: false });
    await runOlderBuild(list, isNamed);
    expect(await status()).toMatchObject({ isMissingEvents: true });
    await runBuild();
    expect(await Promise.all(['a', 'b'].map((what) => counting.count(what)))).toEqual([2, 2]);
    expect(await status()).toMatchObject({ behind: 0, isMissingEvents: false });
    expect(await collection()).toBe('counts_v1_2');
    await runBuild();
    expect(await collection()).toBe('counts_v1_2');
  });

  test('a standby rebuilds it too, when it takes over', async () => {
    await counting.append('a');
    const leases = new Leases(counting.store, systemClock, 'older');
    const older = await leases.acquire(WORKER_LEASE, 60_000);
    const consumer = new ReadModelsConsumer(counting.store, rebuild(), [counts(1)]);
    const { runner, reached } = counting.runningConsumer(consumer, 'this build');
    await runOlderBuild();
    if (older !== undefined) await leases.release(older.name);
    await reached();
    await runner.stop();
    expect(await Promise.all(['a', 'b'].map((what) => counting.count(what)))).toEqual([2, 2]);
  });

  test('a comparison leaves the list of the checkpoint as it is', async () => {
    await counting.append('a');
    await runBuild();
    await counting.append('a');
    await counting.store.write([{ collection: 'counts_v1_1', put: [{ id: 'stray', position: 1 } as Document] }]);
    const compared = new ReadModelComparison([counts(1)], counting.log, counting.store, systemClock);
    expect((await compared.run([counts(1)])).differences).toHaveLength(1);
    expect(await rebuild().outdated([counts(1)])).toEqual([]);
    expect((await counting.store.checkpoint(LANE))?.event?.position).toBe(await counting.log.head());
  });
});

describe('while the runner runs', () => {
  test('no event is lost or folded twice while other writers append', async () => {
    for (let n = 0; n < 2_000; n++) await counting.append(`k${n % 10}`);
    const { runner, reached } = counting.running(counts(1), 'other', () => delay(1));
    await reached();
    let appending = true;
    let appended = 2_000;
    const writer = (async () => {
      for (; appending; appended++) {
        await counting.append(`k${appended % 10}`);
        if (appended % 5 === 0) await delay(1);
      }
    })();
    await rebuild().run([counts(1)]);
    await rebuild().run([counts(1)]);
    appending = false;
    await writer;
    await reached();
    await runner.stop();
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => counting.count(`k${n}`)));
    expect(all.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(appended);
    expect(await collection()).toBe('counts_v1_3');
  });

  test('a page that is under way at the switch is refused, and the next runner handles it again', async () => {
    await counting.append('a');
    const held = Promise.withResolvers<void>();
    let isUnderWay = false;
    const { runner, reached } = counting.running(counts(1), 'other', () => {
      isUnderWay = true;
      return held.promise;
    });
    await eventually(() => isUnderWay);
    await rebuild().run([counts(1)]);
    expect(await counting.count('a')).toBe(1);
    await counting.append('a');
    held.resolve();
    await reached();
    expect(await counting.count('a')).toBe(2);
    await runner.stop();
  });
});

test('takeCheckpoint keeps the position and fences the former runner', async () => {
  const { store } = counting;
  await store.write([], { name: LANE, position: 12, fence: 3 });
  expect(await takeCheckpoint(store, LANE, 4)).toMatchObject({ position: 12, fence: 4 });
  await expect(store.write([], { name: LANE, position: 15, fence: 3 })).rejects.toThrow(LANE);
});
