import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withDatabase } from '../../../libs/document-store/src/mongodb/testing/empty-database.js';
import { DIST, type Environment } from './processes.js';

/** The stores that the environment of the run asks for, as a process is told of them: none where they are embedded. */
export interface SharedStores {
  /** For what is printed. */
  readonly name: string;
  readonly isEmbedded: boolean;
  readonly environment: Environment;
  stop(): Promise<void>;
}

/** What processes that share stores share too. */
const MASTER_KEY = Buffer.alloc(32, 'crash').toString('base64');

/** As the e2e suite: `E2E_EVENT_LOG=eventstoredb` for a double of its own, `E2E_DOCUMENTS=mongodb` for `MONGODB_URL`. */
export const sharedStores = async (): Promise<SharedStores> => {
  const log = process.env.E2E_EVENT_LOG === 'eventstoredb' ? await startDouble() : undefined;
  const server = process.env.E2E_DOCUMENTS === 'mongodb' ? process.env.MONGODB_URL : undefined;
  const documents = server === undefined ? undefined : databaseOn(server);
  return {
    name: [log ? 'EventStoreDB’s double' : [], documents ? 'MongoDB' : []].flat().join(' and ') || 'embedded stores',
    isEmbedded: log === undefined && documents === undefined,
    environment: {
      ...(log && { EVENTSTOREDB_URL: log.url, MASTER_KEY }),
      ...(documents && { MONGODB_URL: documents.url, MASTER_KEY }),
    },
    async stop() {
      await documents?.remove();
      await log?.stop();
    },
  };
};

/** A process of its own: the one that runs the test has enough to do. */
const startDouble = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'double-'));
  const main = resolve(DIST, 'test/eventstoredb-double/main.js');
  const double = spawn(process.execPath, [main, '--file', join(directory, 'events.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(double.stdout, 'data');
  const { url } = JSON.parse(String(line)) as { url: string };
  return {
    url,
    async stop() {
      await kill(double);
      await rm(directory, { recursive: true });
    },
  };
};

const kill = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

const databaseOn = (server: string) => {
  const name = `crash_${randomUUID().slice(0, 8)}`;
  return {
    url: withDatabase(server, name),
    async remove() {
      const { MongoClient } = await import('mongodb');
      const client = new MongoClient(server);
      for (const database of [name, `${name}_personal_keys`]) await client.db(database).dropDatabase();
      await client.close();
    },
  };
};
