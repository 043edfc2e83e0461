import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Document, type DocumentStore, type Projected, projection, type RecordedEvent } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { ProjectionEngine } from './projection-engine.js';

/** Who follows whom: an event can touch several documents, and remove one. */
type Social =
  | { readonly type: 'joined'; readonly data: { readonly who: string } }
  | { readonly type: 'followed'; readonly data: { readonly who: string; readonly whom: string } }
  | { readonly type: 'left'; readonly data: { readonly who: string } }
  | { readonly type: 'slept'; readonly data: { readonly who: string } };

interface Profile extends Document {
  readonly follows: number;
  readonly followers: number;
}

const newcomer = (id: string): Profile => ({ id, follows: 0, followers: 0 });

const profiles = projection<Profile, Social>({
  name: 'profiles',
  version: 1,
  indexes: [],
  on: {
    joined: { documents: ({ data }) => data.who, fold: (_, __, id) => newcomer(id) },
    followed: {
      documents: ({ data }) => [data.who, data.whom],
      fold: (profile, { data }, id) =>
        profile && {
          ...profile,
          follows: profile.follows + Number(id === data.who),
          followers: profile.followers + Number(id === data.whom),
        },
    },
    left: { documents: ({ data }) => data.who, fold: () => undefined },
  },
});

const counts = projection<Document & { readonly events: number }, Social>({
  name: 'counts',
  version: 1,
  indexes: [],
  on: { joined: { documents: () => 'all', fold: (count, _, id) => ({ id, events: (count?.events ?? 0) + 1 }) } },
});

const targets = [
  { projection: profiles, collection: 'profiles_1' },
  { projection: counts, collection: 'counts_1' },
];

/** A log of these events, at positions with gaps. */
const recorded = (...events: readonly Social[]): RecordedEvent[] =>
  events.map((event, index) => ({
    ...event,
    id: `e${index}`,
    stream: 'social-all',
    revision: index,
    position: (index + 1) * 3,
    metadata: { at: index, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null },
  }));

const joined = (who: string): Social => ({ type: 'joined', data: { who } });
const followed = (who: string, whom: string): Social => ({ type: 'followed', data: { who, whom } });
const left = (who: string): Social => ({ type: 'left', data: { who } });
const slept = (who: string): Social => ({ type: 'slept', data: { who } });

const emptyStore = async (): Promise<DocumentStore> => {
  const store = new InMemoryDocumentStore();
  await store.ensure(targets.map(({ collection }) => ({ name: collection, indexes: [] })));
  return store;
};

const apply = async (store: DocumentStore, events: readonly RecordedEvent[]) => {
  const writes = await new ProjectionEngine(targets).project(store, events);
  await store.write(writes);
  return writes;
};

const everyone = ['ann', 'bob', 'cid'];
const contentOf = async (store: DocumentStore) => ({
  profiles: await store.getMany<Projected<Profile>>('profiles_1', everyone),
  counts: await store.getMany('counts_1', ['all']),
});

let store: DocumentStore;
beforeEach(async () => {
  store = await emptyStore();
});

describe('a batch', () => {
  it('loads each document once and writes it once, however many events touch it', async () => {
    const asked: string[][] = [];
    const getMany = store.getMany.bind(store);
    store.getMany = (collection, ids) => {
      asked.push([collection, ...ids]);
      return getMany(collection, ids);
    };
    const writes = await apply(
      store,
      recorded(joined('ann'), joined('bob'), followed('ann', 'bob'), followed('bob', 'ann')),
    );
    expect(asked).toEqual([
      ['profiles_1', 'ann', 'bob'],
      ['counts_1', 'all'],
    ]);
    expect(writes).toEqual([
      {
        collection: 'profiles_1',
        put: [
          { id: 'ann', follows: 1, followers: 1, position: 12 },
          { id: 'bob', follows: 1, followers: 1, position: 12 },
        ],
        remove: [],
      },
      { collection: 'counts_1', put: [{ id: 'all', events: 2, position: 6 }], remove: [] },
    ]);
  });

  it('without an event type of the projection reads nothing and writes nothing', async () => {
    store.getMany = () => Promise.reject(new Error('read for nothing'));
    expect(await new ProjectionEngine(targets).project(store, recorded(slept('ann')))).toEqual([]);
    expect(await new ProjectionEngine(targets).project(store, [])).toEqual([]);
  });

  it('that changes nothing writes nothing', async () => {
    expect(await apply(store, recorded(followed('ann', 'bob'), left('cid')))).toEqual([]);
  });

  it('removes a document, and can create it again', async () => {
    const events = recorded(joined('ann'), left('ann'), joined('ann'), joined('bob'), left('bob'));
    await apply(store, events.slice(0, 1));
    expect(await apply(store, events.slice(1, 2))).toEqual([
      { collection: 'profiles_1', put: [], remove: [{ id: 'ann', position: 6 }] },
    ]);
    expect(await contentOf(store)).toMatchObject({ profiles: [] });
    await apply(store, events.slice(2));
    expect(await contentOf(store)).toMatchObject({ profiles: [{ id: 'ann', position: 9 }] });
  });

  it('removes a document that it created, because a slower runner may still write it', async () => {
    const writes = await apply(store, recorded(joined('ann'), left('ann'), left('bob')));
    expect(writes).toContainEqual({ collection: 'profiles_1', put: [], remove: [{ id: 'ann', position: 6 }] });
  });
});

describe('an event that a document reflects', () => {
  it('is skipped, also in a batch with new events', async () => {
    const events = recorded(joined('ann'), joined('bob'), followed('ann', 'bob'), followed('ann', 'bob'));
    await apply(store, events.slice(0, 3));
    await apply(store, events.slice(1));
    expect((await contentOf(store)).profiles).toEqual([
      { id: 'ann', follows: 2, followers: 0, position: 12 },
      { id: 'bob', follows: 0, followers: 2, position: 12 },
    ]);
  });

  it('does not overwrite what a worker has changed in the document since', async () => {
    const events = recorded(joined('ann'));
    await apply(store, events);
    await store.compareAndSet('profiles_1', { ...newcomer('ann'), position: 3, claimed: true } as Document, {
      position: 3,
    });
    expect(await apply(store, events)).toEqual([]);
    expect(await store.get('profiles_1', 'ann')).toMatchObject({ claimed: true });
  });
});

describe('any log', () => {
  const who = fc.constantFrom(...everyone);
  const event = fc.oneof(
    who.map(joined),
    fc.tuple(who, who).map(([a, b]) => followed(a, b)),
    who.map(left),
    who.map(slept),
  );
  const log = fc.array(event, { maxLength: 30, size: 'max' }).map((events) => recorded(...events));

  it('yields the same documents with every batch size', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.array(fc.nat(30), { maxLength: 6 }), async (events, cuts) => {
        const [whole, split] = [await emptyStore(), await emptyStore()];
        await apply(whole, events);
        const ends = [...cuts, events.length].sort((a, b) => a - b);
        let start = 0;
        for (const end of ends) {
          await apply(split, events.slice(start, end));
          start = Math.max(start, end);
        }
        expect(await contentOf(split)).toEqual(await contentOf(whole));
      }),
    );
  });

  it('yields the same documents when each batch is applied twice', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 1, max: 8 }), async (events, size) => {
        const [once, twice] = [await emptyStore(), await emptyStore()];
        for (let start = 0; start < events.length; start += size) {
          const batch = events.slice(start, start + size);
          await apply(once, batch);
          await apply(twice, batch);
          const before = await contentOf(twice);
          await apply(twice, batch);
          expect(await contentOf(twice)).toEqual(before);
        }
        expect(await contentOf(twice)).toEqual(await contentOf(once));
      }),
    );
  });
});
