import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { StoreUnavailable } from '#kernel';
import { eventually, InMemoryDocumentStore } from '#testing';
import {
  collectionName,
  LIVE_COLLECTION_TTL,
  LIVE_COLLECTIONS,
  type LiveCollection,
  StoredLiveCollections,
} from './stored-live-collections.js';

const cases = { name: 'cases', version: 2 };

let store: InMemoryDocumentStore;
beforeEach(async () => {
  store = new InMemoryDocumentStore();
  await store.ensure([LIVE_COLLECTIONS]);
});

afterEach(() => {
  jest.restoreAllMocks();
});

const switchTo = (collection: string) => {
  const live: LiveCollection = { id: 'cases', collection, version: 2 };
  return store.write([{ collection: LIVE_COLLECTIONS.name, put: [live] }]);
};

it('reads the store once for many readers, and still notices a switch', async () => {
  const live = new StoredLiveCollections(store);
  await live.of(cases);
  let reads = 0;
  const get = store.get.bind(store);
  store.get = (collection, id) => {
    reads++;
    return get(collection, id);
  };
  await switchTo('cases_v2_2');
  expect(await live.of(cases)).toBe('cases_v2_1');
  expect(reads).toBe(0);
  await eventually(async () => (await live.of(cases)) === 'cases_v2_2');
  expect(reads).toBe(1);
});

it('caches an answer from the time before the read, because a slow store may answer with an old one', async () => {
  const live = new StoredLiveCollections(store);
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const get = store.get.bind(store);
  store.get = async (collection, id) => {
    const found = await get<LiveCollection>(collection, id);
    now += LIVE_COLLECTION_TTL;
    return found as never;
  };
  expect(await live.of(cases)).toBe('cases_v2_1');
  await switchTo('cases_v2_2');
  expect(await live.of(cases)).toBe('cases_v2_2');
});

it('D92: refuses each read until the documents are of this log, and takes nothing', async () => {
  const live = new StoredLiveCollections(store);
  let isOfThisLog = false;
  let checks = 0;
  await live.refuseUntil(async () => {
    checks++;
    return isOfThisLog;
  });
  const written = jest.spyOn(store, 'write');
  await expect(live.of(cases)).rejects.toThrow(StoreUnavailable);
  isOfThisLog = true;
  expect(await live.of(cases)).toBe(collectionName(cases, 1));
  await live.of(cases);
  expect([checks, written.mock.calls]).toEqual([3, []]);
});
