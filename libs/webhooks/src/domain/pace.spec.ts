import { expect, it } from '@jest/globals';
import { adjustLimit, FULL_PACE, type Pace } from './pace.js';
import type { SendOutcome } from './send-result.js';

const delivered: SendOutcome = { kind: 'delivered', status: 200 };
const failed: SendOutcome = { kind: 'failed', error: 'timeout' };

const after = (outcomes: readonly SendOutcome[], from: Pace = FULL_PACE): Pace => outcomes.reduce(adjustLimit, from);

it('D63: each consecutive failure halves the concurrency limit, down to one at a time with a pause of at most 100 ms', () => {
  const failures = Array.from({ length: 40 }, () => failed);
  const paces = failures.map((_, count) => after(failures.slice(0, count + 1)));
  expect(paces.slice(0, 6).map(({ concurrencyLimit }) => concurrencyLimit)).toEqual([32, 16, 8, 4, 2, 1]);
  expect(paces[4]?.pause).toBe(0);
  expect(paces[5]?.pause).toBeGreaterThan(0);
  expect(paces.at(-1)).toMatchObject({ concurrencyLimit: 1, pause: 100 });
});

it('a success ends the pause, and each one adds one to the concurrency limit, up to the initial one', () => {
  const slow = after(Array.from({ length: 40 }, () => failed));
  expect(after([delivered], slow)).toEqual({ concurrencyLimit: 2, pause: 0, failures: 0 });
  expect(
    after(
      Array.from({ length: 99 }, () => delivered),
      slow,
    ),
  ).toBe(FULL_PACE);
  expect(after([delivered])).toBe(FULL_PACE);
});
