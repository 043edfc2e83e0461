import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStores } from '../../e2e/support/stores.js';
import type { Environment } from './processes.js';

/** The stores that the environment of the run asks for, as a process is told of them: none where they are embedded. */
export interface SharedStores {
  /** For the names of tests. */
  readonly name: string;
  readonly environment: Environment;
  stop(): Promise<void>;
}

export const sharedStores = async (): Promise<SharedStores> => {
  const directory = await mkdtemp(join(tmpdir(), 'stores-'));
  const { places, stop } = await startStores(directory);
  const { eventStoreDbUrl, mongoDbUrl, masterKey } = places;
  const environment: Record<string, string> = {};
  if (eventStoreDbUrl !== undefined) environment.EVENTSTOREDB_URL = eventStoreDbUrl;
  if (mongoDbUrl !== undefined) environment.MONGODB_URL = mongoDbUrl;
  if (masterKey !== undefined) environment.MASTER_KEY = masterKey.toString('base64');
  return {
    name: Object.keys(environment).join(', '),
    environment,
    async stop() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
