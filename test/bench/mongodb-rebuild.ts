import { join } from 'node:path';
import { type Collection, MongoClient } from 'mongodb';
import { ALL_PROJECTIONS } from '#contexts';
import { openMongoDbDocumentStore } from '#document-store';
import { openSqliteEventLog } from '#event-log';
import type { DocumentStore, EventLog } from '#kernel';
import { byRunner, READ_MODELS, readModelCollections } from '#projections';
import { InMemoryDocumentStore } from '../../libs/testing/src/stores/memory-document-store.js';
import { type Bench, middleRound, SCALE } from './figures.js';
import { fillWithHistory } from './history.js';
import { ledRebuild } from './led-rebuild.js';
import { mongoDb } from './processes/mongodb.js';

const EVENTS = Math.max(2_000, Math.round(50_000 * SCALE));
const ROUNDS = 3;
const BATCH_SIZE = 500;

/** Events a second of a rebuild on MongoDB, against one in memory and the client's own inserts of what comes of it. */
export default {
  name: `MongoDB: rebuilding all read models from ${EVENTS.toLocaleString('en')} events, against memory and the client alone`,
  wanted: 0.7,
  async run(dir: string) {
    const server = await mongoDb();
    if (server === undefined) return 'neither MONGODB_URL is set nor Go there to build FerretDB';
    const client = new MongoClient(server.url, { writeConcern: { w: 'majority' } });
    const log = openSqliteEventLog({ file: join(dir, 'events.db') });
    await fillWithHistory(log, EVENTS);
    const store = await openMongoDbDocumentStore({ url: server.url, work: 'background' });
    const memory = new InMemoryDocumentStore();
    const values: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const rebuilt = await rebuild(log, store);
      const inMemory = await rebuild(log, memory);
      const inserted = await insertAgain(client, server.database);
      values.push((EVENTS * 1_000) / rebuilt);
      floors.push((EVENTS * 1_000) / (inMemory + inserted));
    }
    await Promise.all([store.close(), log.close()]);
    await client.close();
    await server.stop();
    return { ...middleRound(values, floors), unit: 'events/s', note: server.name };
  },
} satisfies Bench;

/** How long it takes, in milliseconds. */
const rebuild = async (log: EventLog, store: DocumentStore): Promise<number> => {
  await store.ensure(await readModelCollections(store, ALL_PROJECTIONS));
  const began = performance.now();
  await ledRebuild(byRunner(ALL_PROJECTIONS).get(READ_MODELS) ?? [], log, store);
  return performance.now() - began;
};

interface Any {
  readonly _id: string;
}

/** The stored documents once more, into collections that are like theirs. */
const insertAgain = async (client: MongoClient, database: string): Promise<number> => {
  const [from, to] = [client.db(database), client.db(`${database}_bare`)];
  const names = (await from.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  let spent = 0;
  for (const name of names.filter((name) => name.includes('.'))) {
    const documents = await from.collection<Any>(name).find().toArray();
    const indexes = (await from.collection(name).listIndexes().toArray()).filter((index) => index.name !== '_id_');
    const began = performance.now();
    await fill(to.collection<Any>(name), documents, indexes);
    spent += performance.now() - began;
  }
  await to.dropDatabase();
  return spent;
};

const fill = async (
  collection: Collection<Any>,
  documents: Any[],
  indexes: readonly { name: string; key: Record<string, 1> }[],
): Promise<void> => {
  await collection.createIndexes(indexes.map(({ name, key }) => ({ name, key })));
  for (let done = 0; done < documents.length; done += BATCH_SIZE) {
    await collection.insertMany(documents.slice(done, done + BATCH_SIZE));
  }
};
