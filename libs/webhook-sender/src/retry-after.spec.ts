import { expect, test } from '@jest/globals';
import { parseRetryAfter } from './attempt.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['0', 0],
  ['1', 1_000],
  ['0120', 120_000],
  ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
  ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
  // The weekday is wrong.
  ['Mon, 01 Jan 2026 00:02:00 GMT', 120_000],
])('%s asks to wait %i ms', (header, wait) => {
  expect(parseRetryAfter(header, NOW)).toBe(wait);
});

test.each([
  undefined,
  '',
  ' 1',
  '-1',
  '1.5',
  '1s',
  '1e3',
  'soon',
  '99999999999',
  '2026-01-01T00:02:00Z',
  'Thursday, 01-Jan-26 00:02:00 GMT',
  'Thu Jan  1 00:02:00 2026',
  'Thu, 01 Jan 2026 00:02:00 CET',
  'Thu, 01 Jan 2026 25:02:00 GMT',
  'Wed, 30 Feb 2028 00:00:00 GMT',
  'Sat, 31 Apr 2027 00:00:00 GMT',
  ['1', '2'],
])('%j asks for nothing', (header) => {
  expect(parseRetryAfter(header, NOW)).toBeUndefined();
});
