import { expect, it } from '@jest/globals';
import type { Document } from '#kernel';
import { collectionWith, findIds } from './fixtures.js';
import type { StoreUnderTest } from './store-under-test.js';

interface Item extends Document {
  readonly owner: string | null;
  readonly claims: number;
  readonly note?: string;
}

const free: Item = { id: 'a', owner: null, claims: 0, note: 'not indexed' };
const BY_OWNER = [{ name: 'by_owner', fields: ['owner'] }];

export const compareAndSetContract = (store: StoreUnderTest): void => {
  it('inserts once if no document is expected', async () => {
    const collection = await collectionWith(store(), []);
    expect(await store().compareAndSet(collection, free, null)).toBe(true);
    expect(await store().compareAndSet(collection, { ...free, claims: 5 } as Item, null)).toBe(false);
    expect(await store().get(collection, 'a')).toEqual(free);
  });

  it('replaces a document that has the expected values, indexed or not', async () => {
    const collection = await collectionWith(store(), [free], BY_OWNER);
    const claimed: Item = { id: 'a', owner: 'me', claims: 1 };
    const expected = { owner: null, claims: 0, note: 'not indexed' };
    expect(await store().compareAndSet(collection, claimed, expected)).toBe(true);
    expect(await store().get(collection, 'a')).toEqual(claimed);
    expect(await findIds(store(), collection, { index: 'by_owner', equals: ['me'] })).toEqual(['a']);
  });

  it.each([{ claims: 1 }, { claims: null }, { owner: 'me' }, { claims: 0, note: 'other' }, { claims: '0' }])(
    'leaves a document that does not have the values %j',
    async (expected) => {
      const collection = await collectionWith(store(), [free], BY_OWNER);
      expect(await store().compareAndSet(collection, { id: 'a' }, expected)).toBe(false);
      expect(await store().get(collection, 'a')).toEqual(free);
    },
  );

  it('treats missing values as null', async () => {
    const collection = await collectionWith(store(), [{ id: 'a' }]);
    expect(await store().compareAndSet(collection, free, { owner: null })).toBe(true);
  });

  it('replaces any document if no values are expected', async () => {
    const collection = await collectionWith(store(), [free]);
    expect(await store().compareAndSet(collection, { id: 'a' }, {})).toBe(true);
    expect(await store().get(collection, 'a')).toEqual({ id: 'a' });
  });

  it('does not insert where values are expected', async () => {
    const collection = await collectionWith(store(), []);
    expect(await store().compareAndSet(collection, free, { owner: null })).toBe(false);
    expect(await store().compareAndSet(collection, free, {})).toBe(false);
    expect(await store().count(collection)).toBe(0);
  });

  it.each([
    ['insert', [], null],
    ['replace', [free], { claims: 0 }],
  ])('lets one of many win who %s concurrently', async (_, there, expected) => {
    const collection = await collectionWith(store(), there);
    const names = Array.from({ length: 50 }, (_, n) => `holder ${n}`);
    const won = await Promise.all(
      names.map((owner) => store().compareAndSet(collection, { id: 'a', owner, claims: 1 } as Item, expected)),
    );
    const winners = names.filter((_, n) => won[n]);
    expect(winners).toHaveLength(1);
    expect(await store().get(collection, 'a')).toEqual({ id: 'a', owner: winners[0], claims: 1 });
  });
};
