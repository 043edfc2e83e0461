import { join } from 'node:path';
import { openSqliteDocumentStore } from '#document-store';
import { InMemoryEventLog } from '#event-log';
import { systemClock } from '#kernel';
import { InMemoryKeyStore } from '#personal-keys';
import {
  createLogger,
  createServices,
  layered,
  openStores,
  readConfig,
  type Services,
  type Stores,
} from '../../../apps/composition/src/index.js';
import type { SandboxReady } from './sandbox.js';

export type StoreKind = 'durable' | 'memory';

/**
 * Without disk and syncs. The documents' in-memory store of the tests is no floor: it looks at every document for each
 * query, and is a hundred times slower than SQLite on some thousand of them; so they are a file, whose directory
 * is to be in the machine's memory.
 */
const storesInMemory = (dir: string): Stores =>
  layered(
    {
      log: new InMemoryEventLog(),
      documents: openSqliteDocumentStore({ file: join(dir, 'documents.db') }),
      personalKeys: new InMemoryKeyStore(),
    },
    Buffer.alloc(32),
  );

/** The services as an app has them, over the sandbox, on durable stores in the directory or in memory. */
export const createBenchServices = async (dir: string, kind: StoreKind, sandbox: SandboxReady) => {
  const config = {
    ...readConfig({
      DATA_DIR: dir,
      NATIVE_PLATFORM_URL: sandbox.url,
      NATIVE_PLATFORM_TOKEN: sandbox.token,
      SCAN_ENGINE_URL: sandbox.url,
      SCAN_ENGINE_TOKEN: sandbox.token,
      VERIFICATION_CACHE: '5s',
      // On, as it is by default: each request is counted in the document store. So high that none is refused.
      RATE_LIMIT_PER_MINUTE: '1000000000',
      // Scans are dispatched and looked after once; how they go on is another matter.
      SCAN_POLL_EVERY: '1h',
      WEBHOOK_TARGETS: 'any',
    }),
    port: 0,
  };
  const stores = kind === 'durable' ? await openStores(config) : storesInMemory(dir);
  const services: Services = await createServices(config, stores, systemClock);
  return { config, services, logger: createLogger(config.logLevel) };
};
