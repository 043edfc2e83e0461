import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import { openSqliteDocumentStore } from '#document-store';
import { openEventStoreDbEventLog } from '#event-log';
import type { DocumentStore, EventLog } from '#kernel';
import { openSqliteKeyStore } from '#key-store';
import { configuredSealKey } from '#stores';
import { type Verification, verifyLog } from '#tamper-evidence';
import { MasterKeys } from '../../libs/stores/src/master-keys.js';
import { layered, openStoredLog, type Stores } from '../../libs/stores/src/stores.js';
// The index of that lib needs Jest, and benches run without it.
import { InMemoryEventLog } from '../../libs/testing/src/stores/memory-event-log.js';
import { InMemoryKeyStore } from '../../libs/testing/src/stores/memory-key-store.js';

/**
 * Stores without disk and syncs. The in-memory document store of the tests reads every document for each query and is
 * a hundred times slower than SQLite on some thousand of them, so the documents are a file: its directory is to be in
 * the machine's memory.
 */
export const storesInMemory = (dir: string): Stores =>
  layered(
    {
      log: new InMemoryEventLog(),
      documents: openSqliteDocumentStore({ file: join(dir, 'documents.db') }),
      personalKeys: new InMemoryKeyStore(),
    },
    new MasterKeys(Buffer.alloc(32)),
    STORED_EVENTS,
  );

/** Is between the adapters and everything that caches what they hold. */
export interface Interception {
  log(log: EventLog): EventLog;
  documents(store: DocumentStore): DocumentStore;
}

/** The log on that EventStoreDB, documents and keys in the directory, and the interception over log and documents. */
export const openStoresThrough = async (
  eventStoreDbUrl: string,
  { dataDir }: Pick<Config, 'dataDir'>,
  interception: Interception,
): Promise<Stores> => {
  mkdirSync(dataDir, { recursive: true });
  const opened = {
    log: interception.log(await openEventStoreDbEventLog({ url: eventStoreDbUrl })),
    documents: interception.documents(openSqliteDocumentStore({ file: join(dataDir, 'documents.db') })),
    personalKeys: openSqliteKeyStore(join(dataDir, 'personal-keys.db')),
  };
  return layered(opened, new MasterKeys(Buffer.alloc(32)), STORED_EVENTS);
};

/** Verifies hashes and seals of the configured log, as an auditor does. */
export const verifyStoredLog = async (config: Config): Promise<Verification> => {
  const stored = await openStoredLog(config);
  try {
    return await verifyLog(stored, configuredSealKey(config).publicKey);
  } finally {
    await stored.close();
  }
};
