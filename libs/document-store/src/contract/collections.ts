import { expect, it } from '@jest/globals';
import { type Document, UnknownCollection } from '#kernel';
import { collectionWith, findIds, freshName, numbered } from './fixtures.js';
import type { StoreUnderTest } from './store-under-test.js';

const BY_NUMBER = { name: 'by_number', fields: ['number'] };

export const collectionsContract = (store: StoreUnderTest): void => {
  it('separates collections', async () => {
    const one = await collectionWith(store(), [{ id: 'a', of: 'one' } as Document]);
    const other = await collectionWith(store(), [{ id: 'a', of: 'other' } as Document]);
    await store().write([{ collection: one, remove: ['a'] }]);
    expect(await store().count(one)).toBe(0);
    expect(await store().get(other, 'a')).toEqual({ id: 'a', of: 'other' });
  });

  it('keeps the documents when a collection is ensured again', async () => {
    const collection = await collectionWith(store(), numbered(3), [BY_NUMBER]);
    await store().ensure([{ name: collection, indexes: [BY_NUMBER] }]);
    await store().ensure([{ name: collection, indexes: [] }]);
    expect(await findIds(store(), collection, { index: 'by_number' })).toEqual(['d0', 'd1', 'd2']);
  });

  it('names all collections, and no longer those that were dropped', async () => {
    const [kept, dropped] = [await collectionWith(store(), numbered(1)), await collectionWith(store(), numbered(1))];
    expect(await store().collections()).toEqual(expect.arrayContaining([kept, dropped]));
    await store().drop(dropped);
    expect(await store().collections()).toContain(kept);
    expect(await store().collections()).not.toContain(dropped);
  });

  it('keeps all that it holds when it is purged, while others read and write', async () => {
    const collection = await collectionWith(store(), numbered(50), [BY_NUMBER]);
    const writing = Array.from({ length: 5 }, (_, n) => store().write([{ collection, put: [{ id: `more${n}` }] }]));
    await Promise.all([store().purge(), ...writing, store().find(collection, { index: 'by_number', limit: 9 })]);
    expect(await store().count(collection)).toBe(55);
  });

  it('makes a collection that is ensured many times concurrently', async () => {
    const name = freshName('things');
    await Promise.all(Array.from({ length: 8 }, () => store().ensure([{ name, indexes: [BY_NUMBER] }])));
    await store().write([{ collection: name, put: numbered(2) }]);
    expect(await findIds(store(), name, { index: 'by_number' })).toEqual(['d0', 'd1']);
  });

  it('fills an index that is added to a collection with documents', async () => {
    const documents = [
      { id: 'a', number: 2, text: 'two' },
      { id: 'b', number: 1, text: 'on"e \u0000 ü' },
      { id: 'c', number: 2 },
      { id: 'd', text: null },
    ];
    const collection = await collectionWith(store(), documents, [BY_NUMBER]);
    const added = { name: 'by_text_and_number', fields: ['text', 'number'] };
    await store().ensure([{ name: collection, indexes: [added] }]);
    await store().write([{ collection, put: [{ id: 'e', number: 0, text: 'two' } as Document] }]);
    const find = (equals: (string | null)[]) => findIds(store(), collection, { index: added.name, equals });
    expect(await find(['two'])).toEqual(['e', 'a']);
    expect(await find(['on"e \u0000 ü'])).toEqual(['b']);
    expect(await find([null])).toEqual(['d', 'c']);
    expect(await findIds(store(), collection, { index: 'by_number', equals: [2] })).toEqual(['a', 'c']);
  });

  it('creates indexes later, also for documents that were put and removed before', async () => {
    const name = freshName('things');
    await store().ensure([{ name, indexes: [], later: [BY_NUMBER] }]);
    await store().ensure([{ name, indexes: [] }]);
    await store().write([{ collection: name, put: numbered(4) }]);
    await store().write([{ collection: name, put: [{ id: 'd1', number: 9 } as Document], remove: ['d2'] }]);
    await store().ensure([{ name, indexes: [BY_NUMBER] }]);
    await store().write([{ collection: name, put: [{ id: 'e', number: 1 } as Document] }]);
    expect(await findIds(store(), name, { index: 'by_number' })).toEqual(['d0', 'e', 'd3', 'd1']);
    expect(await findIds(store(), name, { index: 'by_number', equals: [9] })).toEqual(['d1']);
  });

  it('refuses an index that is there with other fields', async () => {
    const collection = await collectionWith(store(), [], [BY_NUMBER]);
    const other = { name: 'by_number', fields: ['text', 'number'] };
    await expect(store().ensure([{ name: collection, indexes: [other] }])).rejects.toThrow('by_number');
  });

  it('refuses a later index with other fields', async () => {
    const name = freshName('things');
    await store().ensure([{ name, indexes: [], later: [BY_NUMBER] }]);
    const other = { name: 'by_number', fields: ['text', 'number'] };
    await expect(store().ensure([{ name, indexes: [other] }])).rejects.toThrow('by_number');
  });

  it.each(['', '1st', 'a-b', 'a b', 'a"b', '_own', 'a.b', '$a', 'é'])('refuses the name %j', async (name) => {
    await expect(store().ensure([{ name, indexes: [] }])).rejects.toThrow(TypeError);
    const field = { name: 'by_field', fields: [name] };
    await expect(store().ensure([{ name: freshName('things'), indexes: [field] }])).rejects.toThrow(TypeError);
    await expect(store().ensure([{ name: freshName('things'), indexes: [], later: [field] }])).rejects.toThrow(
      TypeError,
    );
  });

  it('drops a collection with all that is in it', async () => {
    const collection = await collectionWith(store(), numbered(3), [BY_NUMBER]);
    await store().drop(collection);
    await store().ensure([{ name: collection, indexes: [{ name: 'by_number', fields: ['number', 'text'] }] }]);
    expect(await store().count(collection)).toBe(0);
    await store().write([{ collection, put: numbered(1) }]);
    expect(await findIds(store(), collection, { index: 'by_number' })).toEqual(['d0']);
  });

  it('minds no drop of a collection that is not there', async () => {
    await expect(store().drop(freshName('things'))).resolves.toBeUndefined();
  });

  it('reports a collection that was never created or was dropped, instead of an empty result', async () => {
    const dropped = await collectionWith(store(), numbered(1), [BY_NUMBER]);
    await store().drop(dropped);
    for (const collection of [dropped, freshName('never')]) {
      await expect(store().get(collection, 'a')).rejects.toThrow(UnknownCollection);
      await expect(store().getMany(collection, ['a'])).rejects.toThrow(UnknownCollection);
      for (const read of [store().find.bind(store()), store().findEntries.bind(store())]) {
        await expect(read(collection, { index: 'by_number', limit: 1 })).rejects.toThrow(UnknownCollection);
      }
      await expect(store().count(collection)).rejects.toThrow(UnknownCollection);
      await expect(store().write([{ collection, put: [{ id: 'a' }] }])).rejects.toThrow(UnknownCollection);
      await expect(store().compareAndSet(collection, { id: 'a' }, null)).rejects.toThrow(UnknownCollection);
    }
  });
};
