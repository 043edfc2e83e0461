import { beforeAll, expect, it } from '@jest/globals';
import type { Document } from '#kernel';
import { collectionWith, findIds } from './fixtures.js';
import type { StoreUnderTest } from './store-under-test.js';

interface Scan extends Document {
  readonly creator: string | null;
  readonly endedAt?: number | null;
}

const SCANS: Scan[] = [
  { id: 'd', creator: 'c1', endedAt: null },
  { id: 'b', creator: 'c1' },
  { id: 'c', creator: 'c1', endedAt: -5 },
  { id: 'a', creator: 'c1', endedAt: 7 },
  { id: 'e', creator: null, endedAt: 1 },
  { id: 'f', creator: null, endedAt: null },
];

export const nullsContract = (store: StoreUnderTest): void => {
  let collection = '';
  beforeAll(async () => {
    collection = await collectionWith(store(), SCANS, [{ name: 'by_end', fields: ['creator', 'endedAt'] }]);
  });
  const ended = (bounds: object, equals: (string | number | null)[] = ['c1']) =>
    findIds(store(), collection, { index: 'by_end', equals, ...bounds });

  it('sorts nulls first, and missing values as null', async () => {
    expect(await ended({})).toEqual(['b', 'd', 'c', 'a']);
    expect(await ended({ order: 'descending' })).toEqual(['a', 'c', 'd', 'b']);
  });

  it('has nulls within an open lower bound', async () => {
    expect(await ended({ lt: 7 })).toEqual(['b', 'd', 'c']);
    expect(await ended({ lte: 7, order: 'descending' })).toEqual(['a', 'c', 'd', 'b']);
    expect(await ended({ lt: -5 })).toEqual(['b', 'd']);
  });

  it('has no nulls within a lower bound', async () => {
    expect(await ended({ gt: -5 })).toEqual(['a']);
    expect(await ended({ gte: -5, lte: 7 })).toEqual(['c', 'a']);
    expect(await ended({ gte: Number.MIN_SAFE_INTEGER, order: 'descending' })).toEqual(['a', 'c']);
  });

  it.each([1, 2, 3, 4])('keeps to a limit of %i across nulls and values', async (limit) => {
    expect(await ended({ lte: 7, limit })).toEqual(['b', 'd', 'c', 'a'].slice(0, limit));
    expect(await ended({ lte: 7, limit, order: 'descending' })).toEqual(['a', 'c', 'd', 'b'].slice(0, limit));
  });

  it('finds null and missing values by null', async () => {
    expect(await ended({}, ['c1', null])).toEqual(['b', 'd']);
    expect(await ended({ gt: 'b' }, ['c1', null])).toEqual(['d']);
    expect(await ended({}, [null])).toEqual(['f', 'e']);
    expect(await ended({}, [null, null])).toEqual(['f']);
    expect(await ended({ order: 'descending' }, [])).toEqual(['a', 'c', 'd', 'b', 'e', 'f']);
  });

  it.each([[true], [{}], [[]], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    'refuses to index %p, and stores nothing',
    async (endedAt) => {
      const broken: Document = Object.assign({ id: 'x' }, { creator: 'c1', endedAt });
      await expect(store().write([{ collection, put: [{ id: 'w' }, broken] }])).rejects.toThrow(TypeError);
      await expect(store().compareAndSet(collection, broken, null)).rejects.toThrow(TypeError);
      expect(await store().get(collection, 'x')).toBeUndefined();
    },
  );
};
