import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDatabase } from '../../../libs/document-store/src/mongodb/testing/empty-database.js';
import {
  type EventStoreDbServer,
  hasServerCommand,
  startEventStoreDbServer,
} from '../../support/eventstoredb-server.js';
import type { Environment } from '../../support/tool.js';

/** The stores that the environment of the run asks for, as the variables of a process name them: none where they are embedded. */
export interface SharedStores {
  /** For what is printed. */
  readonly name: string;
  readonly isEmbedded: boolean;
  readonly environment: Environment;
  stop(): Promise<void>;
}

/** Processes that share stores also share this key. */
const MASTER_KEY = Buffer.alloc(32, 'crash').toString('base64');

/** As the e2e suite: `E2E_EVENT_LOG=eventstoredb` for a separate server or double, `E2E_DOCUMENTS=mongodb` for `MONGODB_URL`. */
export const sharedStores = async (): Promise<SharedStores> => {
  const log = process.env.E2E_EVENT_LOG === 'eventstoredb' ? await startLog() : undefined;
  const server = process.env.E2E_DOCUMENTS === 'mongodb' ? process.env.MONGODB_URL : undefined;
  const documents = server === undefined ? undefined : databaseOn(server);
  return {
    name:
      [log ? (hasServerCommand() ? 'EventStoreDB' : 'EventStoreDB’s double') : [], documents ? 'MongoDB' : []]
        .flat()
        .join(' and ') || 'embedded stores',
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

const startLog = async (): Promise<EventStoreDbServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'eventstoredb-'));
  const server = await startEventStoreDbServer(folder);
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
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
