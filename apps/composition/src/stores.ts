import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openMongoDbDocumentStore, openSqliteDocumentStore } from '#document-store';
import {
  openEventStoreDbEventLog,
  openEventStoreDbStoredLog,
  openSqliteEventLog,
  openSqliteStoredLog,
} from '#event-log';
import { type DocumentStore, type EventLog, type StoredLog, type Upcaster, withUpcasters } from '#kernel';
import { KeyRing, type PersonalKeyStore, withSealedPersonalData } from '#personal-data';
import { openMongoDbKeyStore, openSqliteKeyStore } from '#personal-keys';
import { withHashChain } from '#tamper-evidence';
import type { Config } from './config.js';
import { derivedKey, storedMasterKey } from './master-key.js';

/** Turn events of old versions into the newest while reading; none has an old version yet. */
const UPCASTERS: readonly Upcaster[] = [];

/** The embedded stores' files that have to be kept, in the data directory. */
export const EVENTS_FILE = 'events.db';
export const PERSONAL_KEYS_FILE = 'personal-keys.db';

/** What a profile opens: the rest of the service does not know which. */
export interface OpenedStores {
  readonly log: EventLog;
  readonly documents: DocumentStore;
  readonly personalKeys: PersonalKeyStore;
}

export interface Stores {
  readonly log: EventLog;
  readonly documents: DocumentStore;
  readonly personalKeys: KeyRing;
  readonly masterKey: Buffer;
  close(): Promise<void>;
}

/**
 * From the store upwards: the hash chain covers what is stored, which is sealed where it is personal; whatever else
 * changes events on their way stands above.
 */
export const layered = (
  { log: stored, documents, personalKeys: keyStore }: OpenedStores,
  masterKey: Buffer,
): Stores => {
  const personalKeys = new KeyRing(keyStore, derivedKey(masterKey, 'personal keys'));
  const log = withUpcasters(withSealedPersonalData(withHashChain(stored), personalKeys), UPCASTERS);
  return {
    log,
    documents,
    personalKeys,
    masterKey,
    async close() {
      await log.close();
      await documents.close();
      await keyStore.close();
    },
  };
};

/** Where the stores are: embedded, each in a file of its own under the data directory, but for those that have a URL. */
type StorePlaces = Pick<Config, 'dataDir' | 'masterKey' | 'eventStoreDbUrl' | 'mongoDbUrl'>;

export const openStores = async ({ dataDir, masterKey, eventStoreDbUrl, mongoDbUrl }: StorePlaces): Promise<Stores> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const opened = {
    log:
      eventStoreDbUrl === undefined
        ? openSqliteEventLog({ file: eventsFile(dataDir) })
        : await openEventStoreDbEventLog({ url: eventStoreDbUrl }),
    documents:
      mongoDbUrl === undefined
        ? openSqliteDocumentStore({ file: join(dataDir, 'documents.db') })
        : await openMongoDbDocumentStore({ url: mongoDbUrl }),
    personalKeys:
      mongoDbUrl === undefined
        ? openSqliteKeyStore({ file: join(dataDir, PERSONAL_KEYS_FILE) })
        : await openMongoDbKeyStore({ url: mongoDbUrl }),
  };
  return layered(opened, masterKey ?? storedMasterKey(dataDir));
};

/** The log as its store holds it, to be verified: the configured one, or that of a file, a folder or a connection string. */
export const openStoredLog = async ({ dataDir, eventStoreDbUrl }: StorePlaces, place?: string): Promise<StoredLog> => {
  const location = place ?? eventStoreDbUrl ?? eventsFile(dataDir);
  return isLogUrl(location) ? openEventStoreDbStoredLog({ url: location }) : openSqliteStoredLog(fileIn(location));
};

export const isLogUrl = (location: string): boolean => /^(?:esdb|kurrentdb)(?:\+discover)?:/.test(location);

/** A copy of a data directory has the log in its usual file. */
const fileIn = (location: string): string =>
  statSync(location, { throwIfNoEntry: false })?.isDirectory() ? eventsFile(location) : location;

const eventsFile = (dataDir: string): string => join(dataDir, EVENTS_FILE);
