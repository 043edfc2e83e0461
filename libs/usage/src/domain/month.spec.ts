import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, HOUR } from '#kernel';
import { monthOf, parseMonth, spanOf, splitByMonth } from './month.js';

const at = (text: string) => Date.parse(text);
const month = (text: string) => {
  const parsed = parseMonth(text);
  if (parsed === undefined) throw new Error(`${text} is no month`);
  return parsed;
};

describe('months', () => {
  it.each(['2026-01', '2026-12', '1970-01', '1969-12', '0000-01', '9999-12'])('are read from %s', (text) => {
    expect(parseMonth(text)).toBe(text);
  });

  it.each(['2026-13', '2026-00', '2026-1', '26-01', '2026-01-01', ' 2026-01', '2026/01', '', '२०२६-०१'])(
    'are not read from %j',
    (text) => {
      expect(parseMonth(text)).toBeUndefined();
    },
  );

  it.each([
    ['2026-02', 28],
    ['2028-02', 29],
    ['2100-02', 28],
    ['2000-02', 29],
    ['2026-11', 30],
    ['2026-12', 31],
  ])('have their own length: %s has %i days', (text, days) => {
    expect(spanOf(month(text)).length).toBe(days * DAY);
  });

  it('D44: are half-open and in UTC', () => {
    expect(spanOf(month('2026-11'))).toEqual({
      start: at('2026-11-01T00:00:00Z'),
      end: at('2026-12-01T00:00:00Z'),
      length: 30 * DAY,
    });
    expect(spanOf(month('0001-01'))).toMatchObject({
      start: at('0001-01-01T00:00:00Z'),
      end: at('0001-02-01T00:00:00Z'),
    });
    expect(monthOf(at('2026-12-01T00:00:00Z') - 1)).toBe('2026-11');
    expect(monthOf(at('2026-12-01T00:00:00Z'))).toBe('2026-12');
  });

  it('share an interval that crosses their ends', () => {
    expect(splitByMonth(at('2027-12-31T23:00:00Z'), at('2028-03-01T01:00:00Z'))).toEqual([
      { month: '2027-12', length: HOUR },
      { month: '2028-01', length: 31 * DAY },
      { month: '2028-02', length: 29 * DAY },
      { month: '2028-03', length: HOUR },
    ]);
  });

  it('D44: have no share in an interval of no length, nor in one that ends where they begin', () => {
    const start = spanOf(month('2026-11')).start;
    expect(splitByMonth(start, start)).toEqual([]);
    expect(splitByMonth(start - 1, start)).toEqual([{ month: '2026-10', length: 1 }]);
  });

  it('D44: lose no millisecond of any interval', () => {
    const instants = fc.integer({ min: 0, max: at('2100-01-01T00:00:00Z') });
    fc.assert(
      fc.property(instants, fc.nat(400 * DAY), (from, length) => {
        const shares = splitByMonth(from, from + length);
        expect(shares.reduce((sum, share) => sum + share.length, 0)).toBe(length);
        expect(new Set(shares.map((share) => share.month)).size).toBe(shares.length);
        expect(shares.every((share) => share.length > 0)).toBe(true);
      }),
    );
  });
});
