import { expect, it } from '@jest/globals';
import { duration, latestMonths, money } from './amounts.js';

it('shows a duration to the millisecond', () => {
  expect(duration(0)).toBe('0 d 00:00:00.000');
  expect(duration(2 * 86_400_000 + 3 * 3_600_000 + 4 * 60_000 + 5_006)).toBe('2 d 03:04:05.006');
});

it('has the months of UTC, over the border of a year', () => {
  expect(latestMonths(new Date('2027-02-01T00:30:00Z'), 3)).toEqual(['2027-02', '2027-01', '2026-12']);
});

it('shows minor units as money, and says where there is no price', () => {
  expect([money(1_450, 'EUR'), money(null, 'EUR')]).toEqual(['€14.50', 'No price']);
});
