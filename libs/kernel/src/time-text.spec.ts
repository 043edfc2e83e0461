import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY } from './instant.js';
import { parseTime } from './time-text.js';

describe('a time as text', () => {
  it.each([
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['2028-02-29T13:14:15.678Z', Date.UTC(2028, 1, 29, 13, 14, 15, 678)],
    ['2028-02-29T13:14+02:00', Date.UTC(2028, 1, 29, 11, 14)],
    ['0004-02-29', Date.parse('0004-02-29')],
  ])('%s is that time', (text, at) => expect(parseTime(text)).toBe(at));

  it.each([
    '2028-02-30',
    '2027-02-29',
    '2100-02-29',
    '2028-04-31T00:00:00Z',
    '2028-11-31T23:59:59.999-08:00',
    '2028-00-10',
    '2028-13-01',
    '2028-01-00',
    '2028-01-32',
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
