import { expect, it } from '@jest/globals';
import { retryDelay } from './retry-delay.js';

it('each failure doubles the delay, up to the longest', () => {
  const delays = { first: 50, longest: 1_000 };
  expect([0, 1, 2, 3, 4, 5].map((failures) => retryDelay(failures, delays))).toEqual([50, 100, 200, 400, 800, 1_000]);
  expect(retryDelay(100_000, delays)).toBe(1_000);
});
