import { expect, it } from '@jest/globals';
import type { Document } from '#kernel';
import { collectionWith, idsOf, itUnless, numbered } from './fixtures.js';
import type { StoreUnderTest, Unsupported } from './store-under-test.js';

interface Note extends Document {
  readonly text: string;
  readonly tags?: string[];
}

export const documentsContract = (store: StoreUnderTest, { nestedArrays }: Unsupported): void => {
  it('returns a document as it was put', async () => {
    const document = {
      id: 'crt_é "quoted" \'n\' %_\\ 漢 🦊',
      text: 'Ångström \u0000 \n\t ﷽ 👩‍👩‍👧 \u2028',
      nested: { list: [1, { three: null }, 'four'], empty: {}, none: [] },
      yes: true,
      no: false,
      nothing: null,
      'a key with €, spaces and $': 1,
    };
    const collection = await collectionWith(store(), [document]);
    expect(await store().get(collection, document.id)).toEqual(document);
  });

  itUnless(nestedArrays)('gives back arrays within arrays', async () => {
    const document = { id: 'a', lists: [[], [1, [2, { three: [null] }]]] };
    const collection = await collectionWith(store(), [document]);
    expect(await store().get(collection, 'a')).toEqual(document);
  });

  it('gives back numbers exactly, whole ones up to the greatest safe integer', async () => {
    const whole = [0, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, 1_794_000_000_001, Number.MAX_SAFE_INTEGER - 1];
    const numbers = [...whole, ...whole.map((number) => -number - 1), 0.1, -1.5, 1e-7, 5e-324, Number.MAX_VALUE];
    const collection = await collectionWith(store(), [{ id: 'a', numbers } as Document]);
    expect(await store().get(collection, 'a')).toEqual({ id: 'a', numbers });
  });

  it('distinguishes null from a missing field, and a position from none', async () => {
    const documents: Document[] = [
      Object.assign({ id: 'a' }, { text: null, position: 7 }),
      Object.assign({ id: 'b' }, { text: undefined, list: [undefined] }),
    ];
    const collection = await collectionWith(store(), documents, [{ name: 'by_text', fields: ['text', 'position'] }]);
    const stored = [
      { id: 'a', text: null, position: 7 },
      { id: 'b', list: [null] },
    ];
    expect([await store().get(collection, 'a'), await store().get(collection, 'b')]).toStrictEqual(stored);
    const found = await store().find(collection, { index: 'by_text', equals: [null], limit: 9, order: 'descending' });
    expect(found).toStrictEqual(stored);
    const positioned = { index: 'by_text', equals: [null], gte: 7, limit: 9 };
    expect(await store().findEntries(collection, positioned)).toEqual([{ id: 'a', text: null, position: 7 }]);
  });

  it('finds nothing under an unknown id, or one that differs in case', async () => {
    const collection = await collectionWith(store(), [{ id: 'a' }]);
    expect(await store().get(collection, 'b')).toBeUndefined();
    expect(await store().get(collection, 'A')).toBeUndefined();
  });

  it('replaces a whole document', async () => {
    const collection = await collectionWith(store(), [{ id: 'a', text: 'old', gone: 1 } as Document]);
    await store().write([{ collection, put: [{ id: 'a', text: 'new' } as Document] }]);
    expect(await store().get(collection, 'a')).toEqual({ id: 'a', text: 'new' });
    expect(await store().count(collection)).toBe(1);
  });

  it('removes documents, and minds none that is not there', async () => {
    const collection = await collectionWith(store(), numbered(3));
    await store().write([{ collection, remove: ['d1', 'unknown'] }]);
    expect(await store().get(collection, 'd1')).toBeUndefined();
    expect(await store().count(collection)).toBe(2);
  });

  it('gets many by id in any order, each once, and leaves out those that are missing', async () => {
    const collection = await collectionWith(store(), numbered(5));
    const found = await store().getMany(collection, ['d4', 'unknown', 'd0', 'd4', 'd2']);
    expect(idsOf(found).sort()).toEqual(['d0', 'd2', 'd4']);
    expect(await store().getMany(collection, [])).toEqual([]);
  });

  it('puts and gets thousands of documents together', async () => {
    const documents = numbered(2_500);
    const collection = await collectionWith(store(), documents);
    const found = await store().getMany<{ id: string; number: number }>(collection, idsOf(documents));
    expect(found.sort((one, other) => one.number - other.number)).toEqual(documents);
    expect(await store().count(collection)).toBe(2_500);
  });

  it('replaces hundreds of documents in one write', async () => {
    const collection = await collectionWith(store(), numbered(250));
    const again = numbered(300).map(({ id, number }) => ({ id, number: number + 1 }));
    await store().write([{ collection, put: again, remove: ['d7'] }]);
    const found = await store().getMany<{ id: string; number: number }>(collection, idsOf(again));
    expect(found.sort((one, other) => one.number - other.number)).toEqual(again);
  });

  it('shares no object with its callers', async () => {
    const indexes = [{ name: 'by_text', fields: ['text'] }];
    const put: Note = { id: 'a', text: 'same', tags: ['first'] };
    const collection = await collectionWith(store(), [put], indexes);
    const swapped: Note = { id: 'b', text: 'same', tags: ['first'] };
    await store().compareAndSet(collection, swapped, null);
    put.tags?.push('after the put');
    swapped.tags?.push('after the put');
    const everyRead = async (): Promise<(Note | undefined)[]> => [
      await store().get<Note>(collection, 'a'),
      ...(await store().getMany<Note>(collection, ['b'])),
      ...(await store().find<Note>(collection, { index: 'by_text', limit: 10 })),
    ];
    for (const note of await everyRead()) note?.tags?.push('after a read');
    for (const note of await everyRead()) expect(note?.tags).toEqual(['first']);
  });
};
