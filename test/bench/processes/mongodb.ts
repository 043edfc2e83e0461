import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { buildFerretDb, hasGo, startFerretDb } from '../../ferretdb/ferretdb.js';

interface Server {
  /** What it is. */
  readonly name: string;
  readonly url: string;
  /** The URL's, which is empty at first. */
  readonly database: string;
  stop(): Promise<void>;
}

/** The server of `MONGODB_URL`, or FerretDB; undefined where that cannot be built. */
export const mongoDb = async (): Promise<Server | undefined> => {
  const database = `bench_${randomUUID().slice(0, 8)}`;
  const given = process.env.MONGODB_URL;
  if (given === undefined && !hasGo()) return undefined;
  const ferretDb =
    given === undefined ? await startFerretDb(buildFerretDb(join(process.cwd(), 'test/ferretdb'))) : undefined;
  const server = given ?? ferretDb?.url ?? '';
  return {
    name: ferretDb === undefined ? 'on MONGODB_URL' : 'on FerretDB',
    url: server.replace(/^([^/]+\/\/[^/?]+)(\/[^?]*)?/, `$1/${database}`),
    database,
    async stop() {
      const client = new MongoClient(server);
      await client.db(database).dropDatabase();
      await client.close();
      await ferretDb?.stop();
    },
  };
};
