import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derivedId } from '#kernel';
import { ActivityCursors, nextMarkedCursor, platformCursor } from './activity-cursors.js';

const under = (current: Buffer, ...older: Buffer[]) => ({ current, all: [current, ...older] });

const mia = derivedId('creator', 'mia');
const eve = derivedId('creator', 'eve');
const cursors = new ActivityCursors(under(Buffer.alloc(32, 7)));
const anyCursor = fc.string({ unit: 'binary', minLength: 1 });

it('a cursor is valid for its creator, in any process with the same key', () => {
  fc.assert(
    fc.property(anyCursor, (cursor) => {
      const sealed = cursors.seal(mia, cursor);
      expect(sealed).toMatch(/^[\w-]+\.[\w-]{43}$/);
      expect(new ActivityCursors(under(Buffer.alloc(32, 7))).open(mia, sealed)).toBe(cursor);
    }),
  );
});

it('is valid for no other creator, nor under another key (D53)', () => {
  const sealed = cursors.seal(mia, 'page-2');
  expect(cursors.open(eve, sealed)).toBeUndefined();
  expect(new ActivityCursors(under(Buffer.alloc(32, 8))).open(mia, sealed)).toBeUndefined();
});

it('stays valid while the key that encrypted it is accepted in addition to the current one (D85)', () => {
  const rotating = new ActivityCursors(under(Buffer.alloc(32, 8), Buffer.alloc(32, 7)));
  expect(rotating.open(mia, cursors.seal(mia, 'page-2'))).toBe('page-2');
  expect(rotating.open(eve, cursors.seal(mia, 'page-2'))).toBeUndefined();
  expect(cursors.open(mia, rotating.seal(mia, 'page-2'))).toBeUndefined();
});

it('not one character can be changed, left out or added', () => {
  const sealed = cursors.seal(mia, 'page-2');
  for (let at = 0; at <= sealed.length; at++) {
    const [before, after] = [sealed.slice(0, at), sealed.slice(at)];
    for (const character of ['A', 'g', '.', '=', ' ', '\u0000']) {
      expect(cursors.open(mia, before + character + after)).toBeUndefined();
      const changed = before + character + after.slice(1);
      if (changed !== sealed) expect(cursors.open(mia, changed)).toBeUndefined();
    }
    if (at > 0) expect(cursors.open(mia, sealed.slice(0, at - 1) + after)).toBeUndefined();
  }
});

it('the last character has unused bits, and still only one spelling', () => {
  const sealed = cursors.seal(mia, 'page-2');
  const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter(
    (last) => cursors.open(mia, sealed.slice(0, -1) + last) !== undefined,
  );
  expect(spellings).toHaveLength(1);
});

it('any other text is no cursor', () => {
  fc.assert(fc.property(fc.string(), (text) => expect(cursors.open(mia, text)).toBeUndefined()));
  for (const text of ['', '.', '..', 'page-2', mia]) expect(cursors.open(mia, text)).toBeUndefined();
});

/** Reads `count` pages of a platform whose page `n` leads to page `next(n)`. */
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
