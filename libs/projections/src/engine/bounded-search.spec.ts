import { beforeEach, describe, expect, it } from '@jest/globals';
import { boundedSearch } from './bounded-search.js';

/** How many entries have been read. */
let read: number;
beforeEach(() => {
  read = 0;
});

interface Bounds {
  readonly start?: number;
  readonly limit?: number;
  readonly maxEntries?: number;
  readonly pageSize?: number;
}

/** Searches the numbers from `start` below `end`. */
const search = (end: number, isMatch: (n: number) => boolean, { start = 0, ...bounds }: Bounds = {}) =>
  boundedSearch({
    read: async (after: number | undefined, limit) => {
      const first = after === undefined ? start : after + 1;
      const page = Array.from({ length: Math.max(0, Math.min(limit, end - first)) }, (_, n) => first + n);
      read += page.length;
      return page;
    },
    matchesIn: (page) => page.filter(isMatch),
    limit: 10,
    maxEntries: 2_000,
    ...bounds,
  });

it('finds what matches in the order of the entries, over several pages', async () => {
  expect(await search(1_000, (n) => n % 250 === 0)).toEqual({
    matches: [0, 250, 500, 750],
    last: null,
    isCutOff: false,
  });
});

it('has a next page only if another entry matches', async () => {
  const few = (n: number) => n < 3;
  expect(await search(100, few, { limit: 3 })).toEqual({ matches: [0, 1, 2], last: null, isCutOff: false });
  expect(await search(100, few, { limit: 2 })).toEqual({ matches: [0, 1], last: 1, isCutOff: false });
});

describe('a filter that matches few of very many entries', () => {
  const rare = (n: number) => n === 99_999;

  it('reads no more than the bound for one page, and says how far it has come', async () => {
    expect(await search(100_000, rare)).toEqual({ matches: [], last: 1_999, isCutOff: true });
    expect(read).toBe(2_000);
    expect(await search(100_000, rare, { maxEntries: 250, pageSize: 100 })).toMatchObject({ last: 249 });
    expect(read).toBe(2_250);
  });

  it('finds them where later searches go on from there', async () => {
    const found: number[] = [];
    for (let start = 0; ; ) {
      const { matches, last } = await search(100_000, rare, { start });
      found.push(...matches);
      if (last === null) break;
      start = last + 1;
    }
    expect(found).toEqual([99_999]);
  });
});

it('stops reading when it has enough', async () => {
  await search(100_000, () => true, { limit: 10, pageSize: 200 });
  expect(read).toBe(200);
});
