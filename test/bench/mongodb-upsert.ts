import { MongoClient } from 'mongodb';
import { openMongoDbDocumentStore } from '#document-store';
import type { Document } from '#kernel';
import { type Bench, middleRound, SCALE } from './figures.js';
import { mongoDb } from './processes/mongodb.js';

const BATCH = 100;
const ROUNDS = Math.max(3, Math.round(10 * SCALE));
const BATCHES = 5;
/** Few, as FerretDB scans every document of a collection to find one. */
const DOCUMENTS = 200;

interface Creator extends Document {
  readonly workspaceId: string;
  readonly position: number;
  readonly note: string;
}

interface Bare {
  readonly _id: string;
  readonly _meta: { readonly position: number };
}

const creator = (number: number): Creator => ({
  id: `crt_${String((number * 7919) % DOCUMENTS).padStart(26, '0')}`,
  workspaceId: `wsp_${number % 50}`,
  position: number,
  note: 'x'.repeat(400),
});

/** Documents a second put in batches with a checkpoint, against the client's own upserts, which leave newer ones too. */
export default {
  name: `MongoDB: upserts of ${BATCH} documents a write, against the client alone`,
  wanted: 0.7,
  async run() {
    const server = await mongoDb();
    if (server === undefined) return 'neither MONGODB_URL is set nor Go there to build FerretDB';
    const client = new MongoClient(server.url, { writeConcern: { w: 'majority' } });
    const store = await openMongoDbDocumentStore({ url: server.url });
    await store.ensure([
      { name: 'creators', indexes: [{ name: 'by_workspace', fields: ['workspaceId', 'position'] }] },
    ]);
    const bare = client.db(server.database).collection<Bare>('bare');
    await bare.createIndex({ workspaceId: 1, '_meta.position': 1, _id: 1 });
    await bare.createIndex({ '_meta.removedAt': 1 }, { sparse: true, expireAfterSeconds: 3_600 });
    const upsert = async (batch: readonly Creator[]): Promise<void> => {
      const operations = batch.map(({ id: _id, position, ...fields }) => {
        const replacement = { ...fields, _meta: { position, revision: 0 } };
        return { replaceOne: { filter: { _id, '_meta.position': { $lte: position } }, replacement, upsert: true } };
      });
      await bare.bulkWrite(operations);
    };
    const values: number[] = [];
    const floors: number[] = [];
    // The first round fills both; it is not counted.
    for (let round = 0; round <= ROUNDS; round++) {
      const documents = Array.from({ length: BATCHES }, (_, batch) =>
        Array.from({ length: BATCH }, (_, n) => creator((round * BATCHES + batch) * BATCH + n)),
      );
      const runs = [
        async () => floors.push(await perSecond(documents, upsert)),
        async () =>
          values.push(
            await perSecond(documents, (put, position) =>
              store.write([{ collection: 'creators', put }], { name: 'bench', position, fence: 1 }),
            ),
          ),
      ];
      for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
    }
    await store.close();
    await client.close();
    await server.stop();
    return { ...middleRound(values.slice(1), floors.slice(1)), unit: 'documents/s', note: server.name };
  },
} satisfies Bench;

const perSecond = async (
  batches: readonly Creator[][],
  put: (batch: Creator[], number: number) => Promise<void>,
): Promise<number> => {
  const began = performance.now();
  for (const [number, batch] of batches.entries()) await put(batch, number);
  return (batches.length * BATCH * 1_000) / (performance.now() - began);
};
