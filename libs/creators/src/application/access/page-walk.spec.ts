import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { walkPages } from './page-walk.js';

/** A list of this many pages. The cursor of the last one leads back to one of them, or is null. */
const listOf = (pages: number, backTo: number | null) => async (after: string | undefined) => {
  const page = after === undefined ? 0 : Number(after);
  const next = page + 1 < pages ? page + 1 : backTo;
  return { page, nextCursor: next === null ? null : String(next) };
};

it('uses each page of a list once, in order', async () => {
  const used: number[] = [];
  expect(await walkPages(listOf(5, null), async ({ page }) => void used.push(page))).toBe(true);
  expect(used).toEqual([0, 1, 2, 3, 4]);
});

it('rejects with provider_invalid_response if a cursor repeats, however long the cycle is (D80)', async () => {
  const cycles = fc.integer({ min: 2, max: 60 }).chain((pages) => fc.tuple(fc.constant(pages), fc.nat(pages - 1)));
  await fc.assert(
    fc.asyncProperty(cycles, async ([pages, backTo]) => {
      let used = 0;
      const walk = walkPages(listOf(pages, backTo), async () => void used++);
      await expect(walk).rejects.toMatchObject({ code: 'provider_invalid_response' });
      expect(used).toBeLessThanOrEqual(pages + 1);
    }),
  );
});

it('rejects also if the cursors never end (D80)', async () => {
  let asked = 0;
  const endless = async () => ({ nextCursor: String(++asked) });
  await expect(walkPages(endless, async () => undefined)).rejects.toMatchObject({ code: 'provider_invalid_response' });
});

it('returns false if there is no list, also if it disappears between two pages', async () => {
  expect(
    await walkPages(
      async () => undefined,
      async () => undefined,
    ),
  ).toBe(false);
  const gone = async (after: string | undefined) => (after === undefined ? { nextCursor: 'b' } : undefined);
  expect(await walkPages(gone, async () => undefined)).toBe(false);
});

it('says from which page on the list counts as long', async () => {
  const long: boolean[] = [];
  await walkPages(
    listOf(12, null),
    async () => undefined,
    (task, isLong) => {
      long.push(isLong);
      return task();
    },
  );
  expect(long).toEqual([...Array(10).fill(false), true, true]);
});
