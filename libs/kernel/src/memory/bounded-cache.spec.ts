import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boundedCache } from './bounded-cache.js';

const KIBIBYTE = 1_024;

test('never keeps more bytes than its limit', () => {
  const values = fc.array(fc.nat({ max: 40 * KIBIBYTE }), { maxLength: 200 });
  fc.assert(
    fc.property(values, (lengths) => {
      const cache = boundedCache<string, { text: string }>({ entries: 50, bytes: 100 * KIBIBYTE });
      for (const [n, length] of lengths.entries()) cache.set(`${n}`, { text: 'x'.repeat(length) });
      const kept = [...cache.values()].reduce((sum, { text }) => sum + text.length, 0);
      expect(kept).toBeLessThanOrEqual(100 * KIBIBYTE);
      expect(cache.size).toBeLessThanOrEqual(50);
    }),
  );
});

test('does not keep a value larger than the cache, and drops the former value of the key', () => {
  const cache = boundedCache<string, { text: string }>({ entries: 10, bytes: KIBIBYTE });
  cache.set('one', { text: 'small' });
  cache.set('one', { text: 'x'.repeat(2 * KIBIBYTE) });
  expect(cache.get('one')).toBeUndefined();
});
