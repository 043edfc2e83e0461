import { expect, it } from '@jest/globals';
import { DAY, MINUTE, SECOND } from '#kernel';
import { LogGrowth } from './clock-watch.js';

it('knows when it first saw an event, and nothing of what was there before', () => {
  const growth = new LogGrowth();
  expect(growth.firstSeen(1, 0)).toBeUndefined();
  for (const [head, elapsed] of [
    [10, 1],
    [10, 2],
    [20, 3],
    [20, 4],
    [30, 5],
  ] as const)
    growth.add(head, elapsed);
  expect([10, 11, 20, 21, 31].map((position) => growth.firstSeen(position, 9))).toEqual([undefined, 3, 3, 5, 9]);
  expect(growth.startedAt).toBe(1);
});

it('D93: keeps a bounded number of moments, and never says that an event is older than it is', () => {
  const growth = new LogGrowth();
  const seconds = (6 * DAY) / SECOND;
  for (let n = 0; n <= seconds; n++) growth.add(n, n * SECOND);
  const [older, recent] = ['older', 'recent'].map((name) => Reflect.get(growth, name).length);
  expect([older, recent]).toEqual([expect.any(Number), 601]);
  expect(older).toBeLessThanOrEqual((5 * DAY) / MINUTE + 1);
  for (const position of [1, 59, seconds - 500_000, seconds - 400_000, seconds - 601, seconds - 600, seconds]) {
    const late = (growth.firstSeen(position, seconds * SECOND) ?? 0) - position * SECOND;
    const kept = seconds - position <= 600 ? 0 : MINUTE - SECOND;
    expect(late).toBeGreaterThanOrEqual(0);
    if (seconds - position < (5 * DAY) / SECOND) expect(late).toBeLessThanOrEqual(kept);
  }
});
