import { expect, it } from '@jest/globals';
import { agencyId, MINUTE, SECOND } from '#kernel';
import { RetrySpacing } from './retry-spacing.js';

const [lumen, other] = [agencyId('ag_lumen'), agencyId('ag_other')];
const spacing = () => new RetrySpacing({ delay: 30 * SECOND, interval: 100, maxDelay: MINUTE });

it('spaces the retries of one agency, and not those of another', () => {
  const retries = spacing();
  expect([1, 2, 3].map(() => retries.next(lumen, 0))).toEqual([30_000, 30_100, 30_200]);
  expect(retries.next(other, 0)).toBe(30_000);
});

it('starts again after the last retry', () => {
  const retries = spacing();
  retries.next(lumen, 0);
  expect([retries.isWaiting(lumen, 29_999), retries.isWaiting(other, 29_999)]).toEqual([true, false]);
  expect(retries.isWaiting(lumen, 30_000)).toBe(false);
  expect(retries.next(lumen, 40_000)).toBe(70_000);
});

it('limits the wait', () => {
  const retries = spacing();
  for (let n = 0; n < 1_000; n++) expect(retries.next(lumen, 0)).toBeLessThanOrEqual(MINUTE);
});

it('starts again after the clock was set back', () => {
  const retries = spacing();
  retries.next(lumen, 20 * MINUTE);
  expect([1, 2, 3].map(() => retries.next(lumen, 10 * MINUTE) - 10 * MINUTE)).toEqual([30_000, 30_100, 30_200]);
});
