import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../apps/composition/src/index.js';
import { EventStoreDbDouble } from '../../eventstoredb-double/double.js';

/** The stores of a service that are not embedded. */
export interface ServedStores {
  /** Where they are, for the service's configuration. */
  readonly places: Partial<Pick<Config, 'eventStoreDbUrl' | 'masterKey'>>;
  stop(): Promise<void>;
}

/** What processes that share stores share too. */
const MASTER_KEY = Buffer.alloc(32, 'e2e');

/** `E2E_EVENT_LOG=eventstoredb`: the log is on a double of its own, which keeps it in the directory. */
export const startStores = async (directory: string): Promise<ServedStores> => {
  if (process.env.E2E_EVENT_LOG !== 'eventstoredb') return { places: {}, stop: async () => {} };
  mkdirSync(directory, { recursive: true });
  const double = await EventStoreDbDouble.start({ file: join(directory, 'eventstoredb.db') });
  return { places: { eventStoreDbUrl: double.url, masterKey: MASTER_KEY }, stop: () => double.stop() };
};
