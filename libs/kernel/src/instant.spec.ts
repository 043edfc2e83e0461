import { expect, it } from '@jest/globals';
import { ageOf, DAY, MAX_CLOCK_SKEW, SECOND } from './instant.js';

const NOW = 1_700_000_000_000;

it('D111: a time that lies ahead is never fresh', () => {
  expect([NOW - DAY, NOW - 1, NOW].map((at) => ageOf(at, NOW))).toEqual([DAY, 1, 0]);
  for (const ahead of [1, SECOND, DAY]) expect(ageOf(NOW + ahead, NOW)).toBe(Number.POSITIVE_INFINITY);
});

it('D93, D111: the clock of another process may be a little ahead', () => {
  expect([0, 1, MAX_CLOCK_SKEW].map((ahead) => ageOf(NOW + ahead, NOW, MAX_CLOCK_SKEW))).toEqual([0, 0, 0]);
  expect(ageOf(NOW - 1, NOW, MAX_CLOCK_SKEW)).toBe(1);
  expect(ageOf(NOW + MAX_CLOCK_SKEW + 1, NOW, MAX_CLOCK_SKEW)).toBe(Number.POSITIVE_INFINITY);
});
