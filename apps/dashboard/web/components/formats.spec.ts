import { describe, expect, it } from '@jest/globals';
import {
  ago,
  counted,
  duration,
  endpointName,
  inUtc,
  latestMonths,
  localInput,
  money,
  timeOfInput,
} from './formats.js';

it.each([
  [850, '850 ms'],
  [40_999, '40 s'],
  [3 * 60_000, '3 min'],
  [2 * 3_600_000 + 4 * 60_000 + 59_000, '2 h 4 min'],
  [47 * 3_600_000, '1 d 23 h'],
])('rounds %i ms down to %s', (ms, shown) => {
  expect(duration(ms)).toBe(shown);
});

it.each([
  [-5_000, 'just now'],
  [-3 * 60_000, '3 min ago'],
  [2 * 3_600_000 + 60_000, 'in 2 h'],
  [-29 * 86_400_000, '29 d ago'],
  [-40 * 86_400_000, '17 Oct 2026'],
])('says a time %i ms from now as "%s"', (distance, shown) => {
  const now = new Date(2026, 10, 26, 12).getTime();
  expect(ago(now + distance, now)).toBe(shown);
});

it('counts one thing and several', () => {
  expect([counted(1, 'delivery', 'deliveries'), counted(2_000, 'delivery', 'deliveries')]).toEqual([
    '1 delivery',
    '2,000 deliveries',
  ]);
});

it('names an endpoint by its host and path', () => {
  expect(endpointName('https://hooks.example.com:8443/a/b?tenant=7#x')).toBe('hooks.example.com:8443/a/b');
});

it('has the months of UTC, over the border of a year', () => {
  expect(latestMonths(new Date('2027-02-01T00:30:00Z'), 3)).toEqual(['2027-02', '2027-01', '2026-12']);
});

it('shows minor units as money, and says where there is no price', () => {
  expect([money(1_450, 'EUR'), money(null, 'EUR')]).toEqual(['€14.50', 'No price']);
});

describe('The input of a time', () => {
  it('shows the minute of the time in the address, and gives it back', () => {
    const at = `${new Date(2026, 10, 6, 9, 5).getTime()}`;
    expect(localInput(at)).toBe('2026-11-06T09:05');
    expect(timeOfInput(localInput(at))).toBe(at);
  });

  it('says the time in UTC', () => {
    expect(inUtc(`${Date.UTC(2026, 10, 6, 9, 5, 59)}`)).toBe('2026-11-06 09:05 UTC');
  });

  it('is empty for what is no time', () => {
    expect(localInput(undefined)).toBe('');
    expect(localInput('')).toBe('');
    expect(localInput('soon')).toBe('');
    expect(timeOfInput('')).toBeUndefined();
    expect(inUtc('soon')).toBeUndefined();
  });
});
