import { expect, it } from '@jest/globals';
import { type Document, DuplicateKey } from '#kernel';
import { collectionWith, findIds, itUnless } from './fixtures.js';
import type { StoreUnderTest, Unsupported } from './store-under-test.js';

interface Creator extends Document {
  readonly workspace: string;
  readonly externalId: string | null;
}

const UNIQUE = [{ name: 'by_external_id', fields: ['workspace', 'externalId'], unique: true }];
const creator = (id: string, externalId: string | null, workspace = 'w1'): Creator => ({ id, workspace, externalId });

export const uniqueContract = (store: StoreUnderTest, { partialIndexes }: Unsupported): void => {
  it('refuses a second document with the same values', async () => {
    const collection = await collectionWith(store(), [creator('a', 'x')], UNIQUE);
    await expect(store().write([{ collection, put: [creator('b', 'x')] }])).rejects.toThrow(DuplicateKey);
    await expect(store().compareAndSet(collection, creator('b', 'x'), null)).rejects.toThrow(DuplicateKey);
    expect(await store().get(collection, 'b')).toBeUndefined();
    expect(await store().get(collection, 'a')).toEqual(creator('a', 'x'));
  });

  it('refuses a replacement with the values of another document', async () => {
    const collection = await collectionWith(store(), [creator('a', 'x'), creator('b', 'y')], UNIQUE);
    await expect(store().write([{ collection, put: [creator('b', 'x')] }])).rejects.toThrow(DuplicateKey);
    const swap = store().compareAndSet(collection, creator('b', 'x'), { externalId: 'y' });
    await expect(swap).rejects.toThrow(DuplicateKey);
    expect(await store().get(collection, 'b')).toEqual(creator('b', 'y'));
  });

  it('does not move the checkpoint of a refused write', async () => {
    const collection = await collectionWith(store(), [creator('a', 'x')], UNIQUE);
    const checkpoint = { name: collection, position: 1, fence: 1 };
    await expect(store().write([{ collection, put: [creator('b', 'x')] }], checkpoint)).rejects.toThrow(DuplicateKey);
    expect(await store().checkpoint(collection)).toBeUndefined();
  });

  it('a document may keep its values, and another may have them after they are free', async () => {
    const collection = await collectionWith(store(), [creator('a', 'x')], UNIQUE);
    await store().write([{ collection, put: [creator('a', 'x')] }]);
    await store().write([{ collection, put: [creator('b', 'x')], remove: ['a'] }]);
    await store().write([{ collection, put: [creator('b', 'y'), creator('c', 'x')] }]);
    expect(await findIds(store(), collection, { index: 'by_external_id', equals: ['w1'] })).toEqual(['c', 'b']);
  });

  itUnless(partialIndexes)('lets nulls and parts of the values repeat', async () => {
    const creators = [creator('b', null), creator('a', null), creator('c', 'x'), creator('d', 'x', 'w2')];
    const collection = await collectionWith(store(), creators, UNIQUE);
    const find = (equals: (string | null)[]) => findIds(store(), collection, { index: 'by_external_id', equals });
    expect(await find(['w1', null])).toEqual(['a', 'b']);
    expect(await find(['w1'])).toEqual(['a', 'b', 'c']);
    expect(await find(['w2', 'x'])).toEqual(['d']);
  });

  it('cannot be added where documents have the same values', async () => {
    const collection = await collectionWith(store(), [creator('a', 'x'), creator('b', 'x')]);
    await expect(store().ensure([{ name: collection, indexes: UNIQUE }])).rejects.toThrow(DuplicateKey);
    await store().write([{ collection, remove: ['b'] }]);
    await store().ensure([{ name: collection, indexes: UNIQUE }]);
    await expect(store().write([{ collection, put: [creator('b', 'x')] }])).rejects.toThrow(DuplicateKey);
  });

  it('gives values that many write concurrently to one of them', async () => {
    const collection = await collectionWith(store(), [], UNIQUE);
    const attempts = Array.from({ length: 20 }, (_, n) =>
      store().write([{ collection, put: [creator(`d${n}`, 'x')] }]),
    );
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store().count(collection)).toBe(1);
  });
};
