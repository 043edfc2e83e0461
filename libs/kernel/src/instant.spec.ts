import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ageOf, DAY, MAX_CLOCK_SKEW, parseTime, retryDelay, SECOND } from './instant.js';

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

it('each failure doubles the delay, up to the longest', () => {
  const delays = { first: 50, longest: 1_000 };
  expect([0, 1, 2, 3, 4, 5].map((failures) => retryDelay(failures, delays))).toEqual([50, 100, 200, 400, 800, 1_000]);
  expect(retryDelay(100_000, delays)).toBe(1_000);
});

describe('a time as text', () => {
  it.each([
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['2028-02-29T13:14:15.678Z', Date.UTC(2028, 1, 29, 13, 14, 15, 678)],
    ['2028-02-29T13:14+02:00', Date.UTC(2028, 1, 29, 11, 14)],
    ['0004-02-29', Date.parse('0004-02-29')],
  ])('%s is that time', (text, at) => expect(parseTime(text)).toBe(at));

  it.each([
    '2028-04-31T00:00:00Z',
    '2028-13-01',
    '2028-01-01T25:00:00Z',
    '2028-01-01T10:60:00Z',
    '2028-01-01T10:00:00+25:00',
    '2028-01-01T10:00:00',
    '2028-1-1',
    '1 January 2028',
    '',
  ])('%s is none', (text) => expect(parseTime(text)).toBeUndefined());

  it('is a day exactly where the calendar has it', () => {
    const two = (n: number) => String(n).padStart(2, '0');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_998 }), fc.nat({ max: 12 }), fc.nat({ max: 31 }), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
        const at = parseTime(text);
        if (at !== undefined) expect(new Date(at).toISOString().slice(0, 10)).toBe(text);
        else if (month > 0 && day > 0)
          expect(new Date(Date.parse(`${text.slice(0, 8)}01`) + (day - 1) * DAY).getUTCDate()).not.toBe(day);
      }),
    );
  });
});
