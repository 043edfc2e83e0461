import { expect, it } from '@jest/globals';
import { LogGrowth } from './log-growth.js';

const sample = (head: number, elapsed: number) => ({ head, elapsed, now: 1_000_000 + elapsed });
const present = sample(0, 99_999);

it('knows between which moments an event was appended', () => {
  const growth = new LogGrowth();
  // The head is 10 for some time, so that an event after it is later than the last of these moments.
  for (const moment of [sample(10, 1), sample(10, 2), sample(10, 3), sample(20, 4), sample(20, 5)]) growth.add(moment);
  const around = (position: number) => {
    const found = growth.around(position, present);
    return found && [found.before.elapsed, found.after.elapsed];
  };
  expect([10, 11, 20, 21].map(around)).toEqual([undefined, [3, 4], [3, 4], [5, 99_999]]);
  expect([growth.first?.elapsed, growth.last?.elapsed]).toEqual([1, 5]);
});

it('keeps a bounded number of moments, and never says that an event is older than it is', () => {
  const growth = new LogGrowth();
  const moments = 110_000;
  for (let n = 0; n < moments; n++) growth.add(sample(n, n));
  const kept = ['older', 'recent'].map((name) => Reflect.get(growth, name).length);
  expect(kept).toEqual([5_400, expect.any(Number)]);
  expect(kept[1]).toBeLessThanOrEqual(4_096);
  expect(growth.around(1, present)).toBeUndefined();
  for (const position of [moments - 80_000, moments - 20_000, moments - 4_000, moments - 1]) {
    const { before, after } = growth.around(position, present) ?? {};
    expect(before?.head).toBeLessThan(position);
    expect(after?.head).toBeGreaterThanOrEqual(position);
    expect((after?.elapsed ?? 0) - position).toBeLessThanOrEqual(position > moments - 2_048 ? 0 : 16);
  }
});
