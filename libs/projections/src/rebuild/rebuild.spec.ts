import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SECOND } from '#kernel';
import { eventually } from '#testing';
import { Counting, counts, LANE } from '../counting.fixtures.js';
import { StoredLiveCollections } from '../stored-live-collections.js';
import type { RebuildProgress } from './write-buffer.js';

let counting: Counting;

beforeEach(async () => {
  counting = await Counting.open();
});

afterEach(() => counting.end());

const rebuild = () => counting.rebuild();
const collection = () => counting.collection();

describe('a rebuild', () => {
  test('fills another collection from the whole log; the leader switches to it and drops the replaced one', async () => {
    for (let n = 0; n < 7; n++) await counting.append('a');
    const head = await counting.log.head();
    counting.leader();
    await rebuild().run([counts(1)]);
    const live = await counting.live();
    expect(live).toMatchObject({
      id: 'counts',
      collection: expect.stringMatching(/^counts_v1_\d{10,12}$/),
      version: 1,
    });
    expect(live).not.toHaveProperty('rebuild');
    expect(await counting.count('a')).toBe(7);
    expect(await counting.log.head()).toBe(head);
    expect(await counting.collections()).toEqual([live?.collection]);
  });

  test('names its collection before it is made, and marks it filled at the position of the lane', async () => {
    await counting.append('a');
    const { position } = await counting.laneAtEnd();
    const { store } = counting;
    const ensure = store.ensure.bind(store);
    const named: unknown[] = [];
    jest.spyOn(store, 'ensure').mockImplementation(async (definitions) => {
      named.push((await counting.entry())?.rebuild?.collection === definitions[0]?.name);
      return ensure(definitions);
    });
    const { shadow } = await counting.filled();
    expect(named).toEqual([true, true]);
    expect(shadow).toMatchObject({ version: 1, position, isFilled: true });
  });

  test('creates the indexes of the collection', async () => {
    for (const what of ['a', 'b', 'b']) await counting.append(what);
    counting.leader();
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
    counting.leader();
    await rebuild().run([counts(1)]);
    expect([before, used]).toEqual(['counts_v1_1', await collection()]);
  });

  test('D72: is replaced by a later one, waits for it, and never becomes live', async () => {
    await counting.append('a');
    const checkpoint = await counting.laneAtEnd();
    const earlier = await counting.filled();
    const later = rebuild().run([counts(1)]);
    await eventually(async () => {
      const now = (await counting.entry())?.rebuild;
      return now?.isFilled === true && now.collection !== earlier.shadow.collection;
    });
    const wanted = (await counting.entry())?.rebuild?.collection;
    await rebuild().finish([counts(1)], checkpoint);
    await Promise.all([earlier.ended, later]);
    expect(await collection()).toBe(wanted);
    expect(await counting.collections()).toEqual([wanted]);
  });

  test('goes on with the others when a later one has replaced one of its read models', async () => {
    const other = { ...counts(1), name: 'others' };
    await counting.append('a');
    const checkpoint = await counting.laneAtEnd();
    const both = rebuild().run([counts(1), other]);
    await counting.filled();
    await eventually(async () => (await counting.entry())?.rebuild?.isFilled === true);
    const one = rebuild().run([counts(1)]);
    await eventually(async () => (await rebuild().finish([counts(1), other], checkpoint)).length > 0);
    await eventually(
      async () =>
        (await counting.entry())?.rebuild === undefined || (await counting.entry())?.rebuild?.isFilled === true,
    );
    await rebuild().finish([counts(1), other], checkpoint);
    await Promise.all([both, one]);
    expect(await counting.collections()).toEqual([
      expect.stringMatching(/^counts_v1_\d{10,}$/),
      expect.stringMatching(/^others_v1_\d{10,}$/),
    ]);
  });

  test('of a leader does not change the live collection when it is aborted, and leaves nothing', async () => {
    await counting.append('a');
    const stop = new AbortController();
    stop.abort();
    const checkpoint = await counting.laneAtEnd();
    await expect(rebuild().prepare([counts(2)], checkpoint, stop.signal)).rejects.toBe(stop.signal.reason);
    expect(await counting.collections()).toEqual(['counts_v1_1']);
    expect(await counting.entry()).not.toHaveProperty('rebuild');
  });

  test('reports how many events it has folded, and how much of the log it has read', async () => {
    for (let n = 0; n < 2_500; n++) await counting.append('a');
    counting.leader();
    await eventually(async () => (await counting.store.checkpoint(LANE))?.position === (await counting.log.head()));
    const reported: RebuildProgress[] = [];
    await rebuild().run([counts(1)], (progress) => reported.push(progress));
    expect(reported.map(({ events }) => events)).toEqual([1_000, 2_000, 2_500]);
    expect(reported.map(({ share }) => share)).toEqual([0.4, 0.8, 1]);
  });

  test('changes the beat every ten seconds', async () => {
    await counting.append('a');
    await counting.laneAtEnd();
    jest.useFakeTimers({ doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'performance', 'Date'] });
    try {
      const { shadow } = await counting.filled();
      jest.advanceTimersByTime(10 * SECOND);
      await eventually(async () => (await counting.entry())?.rebuild?.beat === shadow.beat + 1);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('while the lane runs', () => {
  test('no event is lost or folded twice while other writers append', async () => {
    for (let n = 0; n < 2_000; n++) await counting.append(`k${n % 10}`);
    const { reached } = counting.leader(1, 1, () => delay(1));
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
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => counting.count(`k${n}`)));
    expect(all.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(appended);
  });

  test('the switch waits for the page that is under way', async () => {
    await counting.append('a');
    const held = Promise.withResolvers<void>();
    let isUnderWay = false;
    const { reached } = counting.leader(1, 1, () => {
      isUnderWay = true;
      return held.promise;
    });
    await eventually(() => isUnderWay);
    const { ended } = await counting.filled();
    expect(await collection()).toBe('counts_v1_1');
    held.resolve();
    await ended;
    await counting.append('a');
    await reached();
    expect(await counting.count('a')).toBe(2);
  });
});
