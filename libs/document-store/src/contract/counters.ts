import { expect, it } from '@jest/globals';
import { freshName } from './fixtures.js';
import type { StoreUnderTest } from './store-under-test.js';

/** Later than any time at which a test runs the sweep. */
const LATER = 4_000_000_000_000;

export const countersContract = (store: StoreUnderTest): void => {
  it('counts from 0 and returns the new value', async () => {
    const counter = freshName('counter');
    expect(await store().increment(counter, 1, LATER)).toBe(1);
    expect(await store().increment(counter, 5, LATER)).toBe(6);
    expect(await store().increment(counter, -2, LATER)).toBe(4);
    expect(await store().increment(freshName('counter'), 3, LATER)).toBe(3);
  });

  it('counts exactly up to the greatest safe integer', async () => {
    const counter = freshName('counter');
    await store().increment(counter, Number.MAX_SAFE_INTEGER - 1, LATER);
    expect(await store().increment(counter, 1, LATER)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('gives each of many concurrent calls another value', async () => {
    const counter = freshName('counter');
    const values = await Promise.all(Array.from({ length: 200 }, () => store().increment(counter, 1, LATER)));
    expect(values.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
  });

  it('gives each of many concurrent calls the value after its increment, in any order', async () => {
    const counter = freshName('counter');
    const values = await Promise.all([3, 1, 2, 5].map((by) => store().increment(counter, by, LATER)));
    const inOrder = values.toSorted((one, other) => one - other);
    const shares = inOrder.map((value, n) => value - (inOrder[n - 1] ?? 0));
    expect(shares.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 5]);
  });

  it('removes the counters that have expired, and says how many', async () => {
    const [expired, extended, due] = [freshName('counter'), freshName('counter'), freshName('counter')];
    await store().increment(expired, 7, 999);
    await store().increment(extended, 7, 999);
    await store().increment(extended, 1, 1_001);
    await store().increment(extended, 1, 500);
    await store().increment(due, 7, 1_000);
    expect(await store().sweepCounters(1_000)).toBe(1);
    expect(await store().increment(expired, 1, LATER)).toBe(1);
    expect(await store().increment(extended, 1, LATER)).toBe(10);
    expect(await store().increment(due, 1, LATER)).toBe(8);
    expect(await store().sweepCounters(1_000)).toBe(0);
  });
};
