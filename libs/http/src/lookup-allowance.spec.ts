import { describe, expect, it } from '@jest/globals';
import { array, assert, boolean, integer, property, tuple } from 'fast-check';
import { LookupAllowance, MAX_LOOKUPS_PER_SECOND } from './lookup-allowance.js';

describe('the lookups of unknown keys from one address', () => {
  it('D70: are at most 10 in any second', () => {
    const times = array(integer({ min: 0, max: 400 }), { minLength: 20, maxLength: 200, size: 'max' });
    assert(
      property(times, (gaps) => {
        const allowance = new LookupAllowance();
        const taken: number[] = [];
        let now = 1_000_000;
        for (const gap of gaps) {
          now += gap % 97;
          if (allowance.take('1.1.1.1', now)) taken.push(now);
        }
        for (const at of taken) {
          expect(taken.filter((other) => other >= at && other < at + 1_000).length).toBeLessThanOrEqual(
            MAX_LOOKUPS_PER_SECOND,
          );
        }
      }),
    );
  });

  it('D70: do not count against another address, nor if a key was found', () => {
    assert(
      property(array(tuple(boolean(), integer({ min: 0, max: 50 })), { maxLength: 100, size: 'max' }), (steps) => {
        const allowance = new LookupAllowance();
        for (const [isOther, at] of steps) {
          const address = isOther ? '2.2.2.2' : '1.1.1.1';
          if (allowance.take(address, at)) allowance.giveBack(address, at);
        }
        for (let left = MAX_LOOKUPS_PER_SECOND; left > 0; left--) expect(allowance.take('1.1.1.1', 50)).toBe(true);
        expect(allowance.take('1.1.1.1', 50)).toBe(false);
        expect(allowance.take('2.2.2.2', 50)).toBe(true);
      }),
    );
  });

  it.each([
    ['after a second', 5_999, 6_000],
    ['when the clock was set back', 5_000, 4_999],
  ])('D70: are possible again %s', (_, last, next) => {
    const allowance = new LookupAllowance();
    for (let left = MAX_LOOKUPS_PER_SECOND; left > 0; left--) allowance.take('1.1.1.1', 5_000);
    expect(allowance.take('1.1.1.1', last)).toBe(false);
    expect(allowance.take('1.1.1.1', next)).toBe(true);
  });
});
