import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Db, MongoClient } from 'mongodb';
import type { Document, DocumentStore } from '#kernel';
import { itUnless } from '../contract/fixtures.js';
import { openMongoDbDocumentStore } from './open.js';
import { emptyDatabase } from './testing/empty-database.js';

const database = emptyDatabase();
const suite = database === undefined ? describe.skip : describe;

/** Given by `test:stores` for the server that it starts. */
const { ttlIndexes } = JSON.parse(process.env.MONGODB_UNSUPPORTED ?? '{}') as { readonly ttlIndexes?: string };

const found = { id: 'cas_1', creatorId: 'crt_1', openedAt: 1_794_000_000_001, finding: { url: null, tags: ['a'] } };
const runner = (position: number) => ({ name: 'runner', position, fence: 1 });

suite(`what an analyst finds in MongoDB${database === undefined ? ', as MONGODB_URL is not set' : ''}`, () => {
  let client: MongoClient;
  let db: Db;
  let store: DocumentStore;
  beforeAll(async () => {
    client = new MongoClient(database?.url ?? '');
    db = client.db();
    store = openMongoDbDocumentStore({ url: database?.url ?? '' });
    await store.ensure([{ name: 'cases', indexes: [{ name: 'creator', fields: ['creatorId', 'openedAt'] }] }]);
    const put: Document[] = [
      Object.assign({}, found, { position: 41 }),
      Object.assign({ id: 'cas_2' }, { position: 41 }),
    ];
    await store.write([{ collection: 'cases', put }], runner(41));
  });
  afterAll(async () => {
    await Promise.all([store.close(), client.close()]);
  });

  const cases = async () => {
    const entry = await db.collection<{ _id: string; collection: string }>('_collections').findOne({ _id: 'cases' });
    return db.collection<{ _id: string }>(entry?.collection ?? '');
  };

  it('is the document with its fields under their own names, and the bookkeeping in one', async () => {
    const { id, ...fields } = found;
    expect(await (await cases()).find({ creatorId: 'crt_1', 'finding.tags': 'a' }).toArray()).toEqual([
      { _id: id, ...fields, _meta: { position: 41, revision: 0 } },
    ]);
  });

  it('counts changes that the log does not have', async () => {
    const changed = Object.assign({}, found, { openedAt: 5, position: 41 });
    expect(await store.compareAndSet('cases', changed, { openedAt: found.openedAt })).toBe(true);
    expect(await (await cases()).findOne({ _id: found.id })).toMatchObject({
      openedAt: 5,
      _meta: { position: 41, revision: 1 },
    });
  });

  it('is only a mark where a document was removed', async () => {
    await store.write([{ collection: 'cases', remove: ['cas_2'] }], runner(42));
    expect(await (await cases()).findOne({ _id: 'cas_2' })).toEqual({
      _id: 'cas_2',
      _meta: { position: 42, revision: 0, removedAt: expect.any(Date) },
    });
    expect(await store.get('cases', 'cas_2')).toBeUndefined();
  });

  it('has the number that an older build counts on from, and none of its pending writes', async () => {
    const checkpoints = db.collection<{ _id: string }>('_checkpoints');
    const older = { _id: 'older', fence: 1, position: 5, sequence: 7, pending: { position: 6, writes: '[]' } };
    await checkpoints.insertOne(older);
    await store.write([], { name: 'older', position: 6, fence: 2 });
    const moved = { _id: 'older', fence: 2, position: 6, event: null, sequence: 7 };
    expect(await checkpoints.findOne({ _id: 'older' })).toEqual(moved);
  });

  itUnless(ttlIndexes)('is no mark for longer than an hour: an index deletes it', async () => {
    const indexes = await (await cases()).listIndexes().toArray();
    const ofMarks = indexes.find(({ key }) => '_meta.removedAt' in key);
    expect(ofMarks).toMatchObject({ sparse: true, expireAfterSeconds: 3_600 });
  });
});
