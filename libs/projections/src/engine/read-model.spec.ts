import { beforeEach, describe, expect, it } from '@jest/globals';
import { Caches, type Document, UnknownCollection } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { ReadModel } from '../read-models/read-models.js';
import { collectionName, LIVE_COLLECTIONS, noCollectionOf, StoredLiveCollections } from '../stored-live-collections.js';

interface Finding extends Document {
  readonly of: string;
}

const cases = { name: 'cases', version: 1 };
const [first, second] = [collectionName(cases, 1), collectionName(cases, 2)];
const indexes = [{ name: 'of', fields: ['of'] }];

let store: InMemoryDocumentStore;
let readModel: ReadModel<Finding>;

beforeEach(async () => {
  store = new InMemoryDocumentStore();
  readModel = new ReadModel<Finding>(cases, store, new StoredLiveCollections(store, Caches.OFF));
  await store.ensure([LIVE_COLLECTIONS, { name: first, indexes }, { name: second, indexes }]);
  await store.write([{ collection: second, put: [{ id: 'a', of: 'the second' } as Finding] }]);
});

/** Readers that have read the name of the first collection find that it is gone. */
const replaceBeforeTheNextRead = (live: Document) => {
  const get = store.get.bind(store);
  store.get = async <D extends Document>(collection: string, id: string) => {
    const found = await get<D>(collection, id);
    store.get = get;
    await store.write([{ collection: LIVE_COLLECTIONS.name, put: [live] }]);
    await store.drop(first);
    return found;
  };
};

describe('a reader whose collection is gone', () => {
  const query = { index: 'of', limit: 9 };
  const reads: readonly (readonly [string, () => Promise<unknown>, unknown])[] = [
    ['a document', () => readModel.get('a'), { id: 'a', of: 'the second' }],
    ['documents', () => readModel.getMany(['a']), [{ id: 'a', of: 'the second' }]],
    ['a range', () => readModel.find(query), [{ id: 'a', of: 'the second' }]],
    ['entries', () => readModel.findEntries<'of'>(query), [{ id: 'a', of: 'the second' }]],
  ];

  it.each(reads)('reads the live name again, for %s', async (_, read, expected) => {
    replaceBeforeTheNextRead({ id: cases.name, collection: second, version: 1 } as Document);
    expect(await read()).toEqual(expected);
  });

  it.each(reads)('D92: gets no answer until a rebuild has filled another one, for %s', async (_, read) => {
    replaceBeforeTheNextRead(noCollectionOf(cases.name));
    await expect(read()).rejects.toThrow(UnknownCollection);
    await expect(read()).rejects.toThrow(UnknownCollection);
  });
});
