import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nextMarkedCursor, platformCursor } from './marked-cursor.js';

/** Reads so many pages of a platform whose page `n` leads to the page that `next` says. */
const readPages = (next: (page: number) => number, count: number): number => {
  let marked = nextMarkedCursor(undefined, 'page-0');
  for (let read = 1, page = 0; read < count; read++) {
    page = next(page);
    marked = nextMarkedCursor(marked, `page-${page}`);
  }
  return count;
};

it('returns any cursor, on any page', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1 }), (cursors) => {
      let marked: string | undefined;
      for (const cursor of new Set(cursors)) {
        marked = nextMarkedCursor(marked, cursor);
        expect(platformCursor(marked)).toBe(cursor);
      }
    }),
  );
});

it('D80: cursors that repeat end, however long the cycle is and wherever it begins', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.integer({ min: 1, max: 60 }), (tail, length) => {
      const next = (page: number) => (page + 1 === tail + length ? tail : page + 1);
      expect(() => readPages(next, 4 * (tail + length) + 4)).toThrow('provider_invalid_response');
    }),
  );
});

it('D80: a list without a cycle is read to its end, however long it is', () => {
  expect(readPages((page) => page + 1, 5_000)).toBe(5_000);
});

it('a cursor from before there were marks stays valid, and gets one', () => {
  expect(platformCursor('page-7')).toBe('page-7');
  expect(() => nextMarkedCursor(nextMarkedCursor('page-7', 'page-8'), 'page-8')).toThrow('provider_invalid_response');
});
