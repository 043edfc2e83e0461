import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Db, MongoClient, ObjectId } from 'mongodb';
import { type Document, type DocumentStore, UnknownCollection } from '#kernel';
import { openMongoDbDocumentStore } from './open.js';
import { emptyDatabase } from './testing/empty-database.js';

const database = emptyDatabase();
const suite = database === undefined ? describe.skip : describe;

const DUE_WORK = { name: 'due_work_v1_1', indexes: [{ name: 'ready', fields: ['kind', 'readyAt'] }] };
const LIVE = { name: 'live_collections', indexes: [] };
/** Of a collection that was made long before the sweep runs. */
const EARLIER = '5f0000000000000000000000';

type Stored = Record<string, unknown> & { readonly _order: number; readonly _revision: number };
const earlier = (document: Document, order: number, revision = 0, indexed = {}): { _id: string; stored: Stored } => ({
  _id: document.id,
  stored: { _order: order, _revision: revision, _document: JSON.stringify(document), ...indexed },
});

suite(`a database of version 0.8${database === undefined ? ', as MONGODB_URL is not set' : ''}`, () => {
  const url = database?.url ?? '';
  const client = new MongoClient(url || 'mongodb://127.0.0.1:1');
  const opened: DocumentStore[] = [];
  let db: Db;
  const open = (): DocumentStore => {
    const store = openMongoDbDocumentStore({ url });
    opened.push(store);
    return store;
  };
  const entries = () => db.collection<{ _id: string; physical?: string; collection?: string }>('_collections');
  const claimed = { id: 'scan-1', kind: 'scan', readyAt: 5, claims: 2, cause: { id: 'e1' }, position: 7 };
  const many = Array.from({ length: 1_200 }, (_, n) => ({ id: `slot-${n}`, kind: 'slot', readyAt: n, position: 8 }));

  /** As version 0.8 left it. */
  beforeEach(async () => {
    db = client.db();
    await db.dropDatabase();
    const work = db.collection<{ _id: string; stored: Stored }>(`due_work_v1_1.${EARLIER}`);
    await work.insertMany([
      earlier(claimed, 7, 2, { kind: 'scan', readyAt: 5 }),
      { _id: 'gone', stored: { _order: 9, _revision: 0, _removedAt: new Date() } },
      ...many.map((document) => earlier(document, 8, 0, { kind: 'slot', readyAt: document.readyAt })),
    ]);
    const live = db.collection<{ _id: string; stored: Stored }>(`live_collections.${EARLIER}`);
    await live.insertOne(earlier(Object.assign({ id: 'due_work' }, { collection: 'due_work_v1_1' }), 3));
    await db
      .collection<{ _id: string }>('_checkpoints')
      .insertOne(Object.assign({ _id: 'read-models' }, { fence: 4, position: 8, sequence: 3 }));
    for (const { name, indexes } of [DUE_WORK, LIVE]) {
      const entry = { _id: name, physical: `${name}.${EARLIER}`, indexes, revision: 1 };
      await db.collection<{ _id: string }>('_collections').insertOne(entry);
    }
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });
  afterAll(() => client.close());

  it('continues with its documents, checkpoints and claims in the present format', async () => {
    const store = open();
    await store.ensure([LIVE, DUE_WORK]);
    expect(await store.get(LIVE.name, 'due_work')).toEqual({ id: 'due_work', collection: 'due_work_v1_1' });
    expect(await store.count(DUE_WORK.name)).toBe(1 + many.length);
    expect(await store.find(DUE_WORK.name, { index: 'ready', equals: ['slot'], lt: 3, limit: 9 })).toEqual(
      many.slice(0, 3),
    );
    expect(await store.checkpoint('read-models')).toEqual({ name: 'read-models', position: 8, fence: 4 });
    // The claim is newer than what the log says of its position.
    const free = Object.assign({}, claimed, { claims: 0 });
    await store.write([{ collection: DUE_WORK.name, put: [free] }], { name: 'read-models', position: 9, fence: 4 });
    expect(await store.get(DUE_WORK.name, 'scan-1')).toEqual(claimed);
    expect(await store.compareAndSet(DUE_WORK.name, free, { position: 7, claims: 2 })).toBe(true);
    const moved = Object.assign({ id: 'due_work' }, { collection: 'due_work_v1_2' });
    await store.write([{ collection: LIVE.name, put: [moved] }], { name: 'read-models', position: 9, fence: 4 });
    expect(await store.get(LIVE.name, 'due_work')).toEqual(moved);
  });

  it('is converted once by several processes, and the earlier collections are swept', async () => {
    const stores = [open(), open(), open()];
    await Promise.all(stores.map((store) => store.ensure([LIVE, DUE_WORK])));
    for (const store of stores) expect(await store.count(DUE_WORK.name)).toBe(1 + many.length);
    await stores[0]?.purge();
    const listed = (await entries().find().toArray()).map(({ collection }) => collection);
    const there = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(there.filter((name) => name.includes('.')).toSorted()).toEqual(listed.toSorted());
  });

  it('is converted again from the beginning after an interruption', async () => {
    const partial = `due_work_v1_1.${new ObjectId().toHexString()}`;
    await db.collection<{ _id: string }>(partial).insertOne({ _id: 'slot-1' });
    await open().ensure([DUE_WORK]);
    const store = open();
    await store.ensure([DUE_WORK]);
    expect(await store.count(DUE_WORK.name)).toBe(1 + many.length);
  });

  it('is unavailable until it is converted, and to processes of 0.8 afterwards', async () => {
    const store = open();
    await expect(store.get(DUE_WORK.name, 'scan-1')).rejects.toThrow(UnknownCollection);
    await store.ensure([LIVE]);
    expect(await store.get(DUE_WORK.name, 'scan-1')).toEqual(claimed);
    // These processes take the collection from `physical`, and the client refuses a name that is undefined.
    expect(await entries().countDocuments({ physical: { $exists: true } })).toBe(0);
  });
});
