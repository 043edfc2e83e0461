import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, HOUR } from '#kernel';
import { splitByMonth } from './month.js';
import { dayOf, splitByDay } from './usage-explanation.js';

const at = (text: string) => Date.parse(text);
const shares = (from: number, to: number) =>
  splitByDay(from, to).map(({ start, length }) => ({ day: dayOf(start), length }));

describe('days', () => {
  it('share an interval that crosses their ends, a leap day and the end of a year', () => {
    expect(shares(at('2028-02-28T23:00:00Z'), at('2028-03-01T02:00:00Z'))).toEqual([
      { day: '2028-02-28', length: HOUR },
      { day: '2028-02-29', length: DAY },
      { day: '2028-03-01', length: 2 * HOUR },
    ]);
    expect(shares(at('2027-12-31T12:00:00Z'), at('2028-01-01T00:00:00Z'))).toEqual([
      { day: '2027-12-31', length: 12 * HOUR },
    ]);
  });

  it('have no share in an interval of no length', () => {
    const start = at('2026-11-01T00:00:00Z');
    expect(shares(start, start)).toEqual([]);
  });

  it('add up to what the months say', () => {
    const instants = fc.integer({ min: 0, max: at('2100-01-01T00:00:00Z') });
    fc.assert(
      fc.property(instants, fc.nat(200 * DAY), (from, length) => {
        const byMonth = new Map<string, number>();
        for (const share of shares(from, from + length)) {
          const month = share.day.slice(0, 7);
          byMonth.set(month, (byMonth.get(month) ?? 0) + share.length);
        }
        expect([...byMonth].map(([month, sum]) => ({ month, length: sum }))).toEqual(splitByMonth(from, from + length));
      }),
    );
  });

  it('are named in UTC', () => {
    expect(dayOf(at('2026-11-21T23:59:59.999Z'))).toBe('2026-11-21');
  });
});
