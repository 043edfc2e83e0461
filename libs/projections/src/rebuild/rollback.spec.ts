import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '#kernel';
import { Counting, counts, RUNNER } from '../counting.fixtures.js';
import { Rebuild } from './rebuild.js';
import { Rollback } from './rollback.js';

let counting: Counting;

beforeEach(async () => {
  counting = await Counting.open();
});

afterEach(() => counting.log.close());

const rebuild = (version = 1, step = 1) =>
  new Rebuild(RUNNER, counting.log, counting.store, systemClock).run([counts(version, step)]);
const rollback = () => new Rollback(RUNNER, counting.log, counting.store, systemClock);
const collection = async () => (await counting.live())?.collection;

describe('a rollback', () => {
  test('switches back to the replaced collection, caught up with the log, and keeps the other one', async () => {
    const { runner, reached } = counting.running(counts(1), 'runner');
    await counting.append('a');
    await counting.append('b');
    await reached();
    // These folds count wrongly: a reason for a rollback.
    await rebuild(1, 100);
    await counting.append('a');
    await counting.append('b', 'forgotten.v1');
    await counting.append('c');
    await reached();
    expect(await counting.count('a')).toBe(101);

    await rollback().run([counts(1)]);
    expect(await counting.live()).toMatchObject({ collection: 'counts_v1_1', replaced: { collection: 'counts_v1_2' } });
    const all = async () => [await counting.count('a'), await counting.count('b'), await counting.count('c')];
    expect(await all()).toEqual([2, undefined, 1]);

    await counting.append('c');
    await reached();
    expect(await all()).toEqual([2, undefined, 2]);
    await rollback().run([counts(1)]);
    expect(await collection()).toBe('counts_v1_2');
    expect(await all()).toEqual([101, undefined, 2]);
    await runner.stop();
  });

  test('neither loses nor repeats an event while other writers append', async () => {
    const { runner, reached } = counting.running(counts(1), 'runner');
    for (let n = 0; n < 500; n++) await counting.append('a');
    await reached();
    await rebuild();
    let appending = true;
    let appended = 500;
    const writer = (async () => {
      for (; appending; appended++) {
        await counting.append('a');
        if (appended % 5 === 0) await delay(1);
      }
    })();
    await rollback().run([counts(1)]);
    await rollback().run([counts(1)]);
    await rollback().run([counts(1)]);
    appending = false;
    await writer;
    await reached();
    await runner.stop();
    expect(await collection()).toBe('counts_v1_1');
    expect(await counting.count('a')).toBe(appended);
  });

  test('that was interrupted continues where it was', async () => {
    for (let n = 0; n < 3; n++) await counting.append('a');
    await rebuild();
    const stop = new AbortController();
    const { store } = counting;
    const write = store.write.bind(store);
    store.write = async (...args) => {
      await write(...args);
      if (args[0].length > 1) stop.abort();
    };
    await expect(rollback().run([counts(1)], stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(await collection()).toBe('counts_v1_2');
    store.write = write;
    await rollback().run([counts(1)]);
    expect(await collection()).toBe('counts_v1_1');
    expect(await counting.count('a')).toBe(3);
  });

  test('is refused if nothing is kept, or a collection of another version', async () => {
    await expect(rollback().run([counts(1)])).rejects.toMatchObject({ code: 'not_found' });
    expect(await rollback().possible([counts(1)])).toEqual([]);
    await rebuild(2);
    await expect(rollback().run([counts(2)])).rejects.toMatchObject({ code: 'not_found' });
    expect(await collection()).toBe('counts_v2_2');
    // The former program has these folds and may roll back.
    await rollback().run([counts(1)]);
    expect(await collection()).toBe('counts_v1_1');
  });

  test('is refused after the kept collection was discarded', async () => {
    await rebuild();
    await rollback().discard([counts(1)]);
    expect(await counting.live()).toEqual({ id: 'counts', collection: 'counts_v1_2', version: 1 });
    await expect(counting.store.count('counts_v1_1')).rejects.toThrow('counts_v1_1');
    await expect(rollback().run([counts(1)])).rejects.toMatchObject({ code: 'not_found' });
    await rebuild();
    expect(await collection()).toBe('counts_v1_3');
  });
});
