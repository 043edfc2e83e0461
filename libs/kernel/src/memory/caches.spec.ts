import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Caches } from './caches.js';

const KIBIBYTE = 1_024;

test('never keeps more bytes than its limit', () => {
  const values = fc.array(fc.nat({ max: 40 * KIBIBYTE }), { maxLength: 200, size: 'max' });
  fc.assert(
    fc.property(values, (lengths) => {
      const cache = Caches.ON.create<string, { text: string }>({ bytes: 100 * KIBIBYTE });
      for (const [n, length] of lengths.entries()) cache.set(`${n}`, { text: 'x'.repeat(length) });
      const kept = lengths.flatMap((_, n) => cache.get(`${n}`) ?? []);
      expect(kept.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(100 * KIBIBYTE);
    }),
  );
});

test('does not keep a value larger than the cache, and drops the former value of the key', () => {
  const cache = Caches.ON.create<string, { text: string }>({ bytes: KIBIBYTE });
  cache.set('one', { text: 'small' });
  cache.set('one', { text: 'x'.repeat(2 * KIBIBYTE) });
  expect(cache.get('one')).toBeUndefined();
});

test('bounds entries of a fixed size by their bytes', () => {
  const cache = Caches.ON.create<string, number>({ bytes: KIBIBYTE, entryBytes: 100 });
  for (let n = 0; n < 20; n++) cache.set(`${n}`, n);
  const kept = Array.from({ length: 20 }, (_, n) => cache.get(`${n}`)).filter((n) => n !== undefined);
  expect(kept).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
});

test('keeps nothing when caches are off', () => {
  const cache = Caches.OFF.create<string, number>({ bytes: KIBIBYTE, entryBytes: 100 });
  cache.set('one', 1);
  expect(cache.get('one')).toBeUndefined();
  expect(cache.peek('one')).toBeUndefined();
});

test('entries evict only those of the same part, which never has more than its bytes', () => {
  const actions = fc.array(fc.record({ key: fc.nat({ max: 60 }), length: fc.nat({ max: 8 * KIBIBYTE }) }), {
    maxLength: 200,
    size: 'max',
  });
  fc.assert(
    fc.property(actions, (all) => {
      const cache = Caches.ON.createInParts<string, { text: string }, 'usual' | 'large'>({
        bytes: { usual: 250 * KIBIBYTE, large: 20 * KIBIBYTE },
        partOf: (_, size) => (size > 4 * KIBIBYTE ? 'large' : 'usual'),
        sizeOf: ({ text }) => text.length,
      });
      const last = new Map<string, number>();
      for (const { key, length } of all) {
        cache.set(`${key}`, { text: 'x'.repeat(length) });
        last.set(`${key}`, length);
      }
      let largeBytes = 0;
      for (const [key, length] of last) {
        const kept = cache.peek(key)?.text.length;
        // 61 usual entries take less than their 250 KiB, so each is kept.
        if (length < 3 * KIBIBYTE) expect(kept).toBe(length);
        if (kept !== undefined) expect(kept).toBe(length);
        if (length > 4 * KIBIBYTE) largeBytes += kept ?? 0;
      }
      expect(largeBytes).toBeLessThanOrEqual(20 * KIBIBYTE);
    }),
  );
});
