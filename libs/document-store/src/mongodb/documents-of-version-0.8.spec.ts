import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { DocumentStore } from '#kernel';
import { openMongoDbDocumentStore } from './open.js';
import { emptyDatabase } from './testing/empty-database.js';

const database = emptyDatabase();
const suite = database === undefined ? describe.skip : describe;

const DUE_WORK = { name: 'due_work_v1_1', indexes: [{ name: 'ready', fields: ['kind', 'readyAt'] }] };

suite(`a database of version 0.8${database === undefined ? ', as MONGODB_URL is not set' : ''}`, () => {
  let client: MongoClient;
  let store: DocumentStore;
  beforeAll(async () => {
    client = new MongoClient(database?.url ?? '');
    store = openMongoDbDocumentStore({ url: database?.url ?? '' });
    const physical = `${DUE_WORK.name}.5f0000000000000000000000`;
    const entry = { _id: DUE_WORK.name, physical, indexes: DUE_WORK.indexes, revision: 1 };
    await client.db().collection<{ _id: string }>('_collections').insertOne(entry);
  });
  afterAll(async () => {
    await Promise.all([store.close(), client.close()]);
  });

  it('is refused, with the name of what has to be dropped', async () => {
    const refusal = `documents of version 0.8 are in the database ${client.db().databaseName}: stop all processes, drop it`;
    await expect(store.ensure([DUE_WORK])).rejects.toThrow(refusal);
    await expect(store.get(DUE_WORK.name, 'scan-1')).rejects.toThrow(refusal);
  });

  it('is filled from the log after it was dropped', async () => {
    await client.db().dropDatabase();
    await store.ensure([DUE_WORK]);
    expect(await store.count(DUE_WORK.name)).toBe(0);
  });
});
