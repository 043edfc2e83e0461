import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HOUR, MINUTE } from '#kernel';
import { retryWait } from './retry-wait.js';

const waits = [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];
const failures = fc.integer({ min: 1, max: 4 });

it('D60: a wait is within a fifth of the planned one, as the jitter says', () => {
  expect(retryWait(1, { waits, jitter: -1 })).toBe(0.8 * MINUTE);
  expect(retryWait(1, { waits, jitter: 1 })).toBe(1.2 * MINUTE);
  fc.assert(
    fc.property(failures, fc.double({ min: -1, max: 1, noNaN: true }), (count, jitter) => {
      const planned = waits[count - 1] ?? 0;
      const wait = retryWait(count, { waits, jitter });
      expect(wait).toBeGreaterThanOrEqual(0.8 * planned);
      expect(wait).toBeLessThanOrEqual(1.2 * planned);
    }),
  );
});

it('D60: what the receiver asks for never shortens a wait, and never more than doubles it', () => {
  fc.assert(
    fc.property(failures, fc.nat(), fc.double({ min: -1, max: 1, noNaN: true }), (count, retryAfter, jitter) => {
      const without = retryWait(count, { waits, jitter });
      const wait = retryWait(count, { waits, jitter }, retryAfter);
      expect(wait).toBe(retryAfter <= without ? without : Math.min(retryAfter, 2 * without));
    }),
  );
});

it('the last wait serves for all further attempts', () => {
  expect([1, 2, 3, 4].map((count) => retryWait(count, { waits: [5, 7], jitter: 0 }))).toEqual([5, 7, 7, 7]);
});
