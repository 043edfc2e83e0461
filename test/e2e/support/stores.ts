import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#configuration';
import {
  type EventStoreDbServer,
  hasServerCommand,
  startEventStoreDbServer,
} from '../../support/eventstoredb-server.js';

/** The stores of a service: embedded in its directory, or served as the environment of the run says. */
export interface ServedStores {
  /** Where those are that are not embedded, for the service's configuration. */
  readonly settings: Partial<Pick<Config, 'eventStoreDbUrl' | 'mongoDbUrl' | 'masterKey'>>;
  /** Loses all documents, while the service does not run. */
  loseDocuments(): Promise<void>;
  stop(): Promise<void>;
}

/** Processes that share stores also share this key. */
const MASTER_KEY = Buffer.alloc(32, 'e2e');

/**
 * `E2E_EVENT_LOG=eventstoredb`: the log is on its own server, which `EVENTSTOREDB_COMMAND` starts, or on its own double;
 * both keep it in the directory.
 * `E2E_DOCUMENTS=mongodb`: documents and keys are in databases of their own on the server of `MONGODB_URL`.
 */
export const startStores = async (directory: string): Promise<ServedStores> => {
  mkdirSync(directory, { recursive: true });
  const log =
    process.env.E2E_EVENT_LOG === 'eventstoredb' ? await startLog(join(directory, 'eventstoredb')) : undefined;
  const server = process.env.E2E_DOCUMENTS === 'mongodb' ? process.env.MONGODB_URL : undefined;
  const documents = server === undefined ? undefined : databaseOn(server);
  return {
    settings: {
      ...(log && { eventStoreDbUrl: log.url, masterKey: MASTER_KEY }),
      ...(documents && { mongoDbUrl: documents.url, masterKey: MASTER_KEY }),
    },
    loseDocuments: documents?.lose ?? (async () => removeFiles(directory)),
    async stop() {
      await documents?.remove();
      await log?.stop();
    },
  };
};

/** Regardless of the environment of the run: for data that is there already. */
export const embeddedStores = (directory: string): ServedStores => ({
  settings: {},
  loseDocuments: async () => removeFiles(directory),
  stop: async () => undefined,
});

// The double of the other runs is in this process: it starts faster. A run loads only what it needs.
const startLog = async (folder: string): Promise<EventStoreDbServer> => {
  if (hasServerCommand()) return startEventStoreDbServer(folder);
  const { EventStoreDbDouble } = await import('../../eventstoredb-double/double.js');
  mkdirSync(folder);
  return EventStoreDbDouble.start({ file: join(folder, 'events.db') });
};

const removeFiles = (directory: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(join(directory, 'data', `documents.db${end}`), { force: true });
};

const databaseOn = (server: string) => {
  const name = `e2e_${randomUUID().slice(0, 8)}`;
  const drop = async (databases: readonly string[]): Promise<void> => {
    const { MongoClient } = await import('mongodb');
    const client = new MongoClient(server);
    for (const database of databases) await client.db(database).dropDatabase();
    await client.close();
  };
  return {
    url: server.replace(/^([^/]+\/\/[^/?]+)(\/[^?]*)?/, `$1/${name}`),
    lose: () => drop([name]),
    remove: () => drop([name, `${name}_personal_keys`]),
  };
};
