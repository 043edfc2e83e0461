import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { eventually } from '#testing';
import {
  collectionName,
  LIVE_COLLECTIONS,
  type LiveCollection,
  LiveCollections,
  REMEMBERED,
} from './live-collections.js';

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

it('knows the first collection of a read model that was never switched', async () => {
  expect(await new LiveCollections(store).of(cases)).toBe(collectionName(cases, 1));
});

it('gives the collection that was switched to', async () => {
  await switchTo('cases_v2_7');
  expect(await new LiveCollections(store).of(cases)).toBe('cases_v2_7');
});

it('asks the store once for many readers, and notices a switch all the same', async () => {
  const live = new LiveCollections(store);
  await live.of(cases);
  let asked = 0;
  const get = store.get.bind(store);
  store.get = (collection, id) => {
    asked++;
    return get(collection, id);
  };
  await switchTo('cases_v2_2');
  expect(await live.of(cases)).toBe('cases_v2_1');
  expect(asked).toBe(0);
  await eventually(async () => (await live.of(cases)) === 'cases_v2_2');
  expect(asked).toBe(1);
});

it('remembers what it found from before it looked: a store that answers late has told what may have changed since', async () => {
  const live = new LiveCollections(store);
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const get = store.get.bind(store);
  store.get = async (collection, id) => {
    const found = await get<LiveCollection>(collection, id);
    now += REMEMBERED;
    return found as never;
  };
  expect(await live.of(cases)).toBe('cases_v2_1');
  await switchTo('cases_v2_2');
  expect(await live.of(cases)).toBe('cases_v2_2');
});
