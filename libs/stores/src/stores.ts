import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Config, isPlaintextStore, NOT_ENCRYPTED } from '#configuration';
import { openMongoDbDocumentStore, openSqliteDocumentStore } from '#document-store';
import {
  openEventStoreDbEventLog,
  openEventStoreDbStoredLog,
  openSqliteEventLog,
  openSqliteStoredLog,
} from '#event-log';
import {
  Caches,
  DATA_FILES,
  type DocumentStore,
  type EventLog,
  ensurePrivateFolder,
  invalidRequest,
  refuseUnfinishedRestore,
  type StoredLog,
  type Upcaster,
  WrongMasterKey,
  withUpcasters,
} from '#kernel';
import { openMongoDbKeyStore, openSqliteKeyStore, openSqliteKeyStoreForReading } from '#key-store';
import { KeyRing, type PersonalKeyStore, Sentinel, withEncryptedPersonalData } from '#personal-data';
import { originOf, type RememberedSeal, type SealMemory, withHashChain } from '#tamper-evidence';
import { checkKeys, isNewInstallation, type KeyNeed, requireLogOfKeys } from './key-check.js';
import { readersMasterKey, servingMasterKey } from './master-key.js';
import { MasterKeys } from './master-keys.js';

/** How stored events become the events that the contexts know. */
export interface StoredEvents {
  /** Convert events of old versions to the newest one while they are read. */
  readonly upcasters: readonly Upcaster[];
  /** Categories of streams that continue after the erasure of a creator: they record facts, without its texts. */
  readonly recordsShapes: ReadonlySet<string>;
}

/** The rest of the service does not know which storage profile it is. */
export interface OpenedStores {
  readonly log: EventLog;
  readonly documents: DocumentStore;
  /** The same store for long work; `documents` itself if that store has no timeouts. */
  readonly backgroundDocuments?: DocumentStore;
  readonly personalKeys: PersonalKeyStore;
  readonly caches?: Caches;
}

export abstract class Stores {
  abstract readonly log: EventLog;
  /** The same log with its events as they are stored: personal data encrypted, types as they were written. */
  abstract readonly storedEvents: EventLog;
  abstract readonly documents: DocumentStore;
  /** For rebuilds and comparisons: it waits longer for answers than a request may. */
  abstract readonly backgroundDocuments: DocumentStore;
  abstract readonly personalKeys: KeyRing;
  abstract readonly masterKeys: MasterKeys;
  /** Learns from the sentinel which of the master keys encrypts. */
  abstract readonly refreshKeys: () => Promise<void>;
  abstract readonly sentinel: Sentinel;
  abstract readonly sealMemory: SealMemory;
  /** The key of the hashes of erased data (D72). Zeros in a process that only reads, which may lack the sentinel. */
  abstract readonly hashKey: Buffer;
  abstract readonly close: () => Promise<void>;
}

/** The hash chain is directly above the store, so that it covers the events as they are stored. */
export const layered = (
  { log: stored, documents, backgroundDocuments = documents, personalKeys: keyStore, caches }: OpenedStores,
  masterKeys: MasterKeys,
  { upcasters, recordsShapes }: StoredEvents,
): Stores => {
  const wrappingKeys = masterKeys.derived('personal keys');
  const sentinel = new Sentinel(keyStore, wrappingKeys);
  const refreshKeys = async (): Promise<void> => {
    const opened = await sentinel.read();
    if (opened === 'foreign') throw new WrongMasterKey();
    if (opened !== undefined) masterKeys.encryptWith(opened.index);
  };
  const personalKeys = new KeyRing(keyStore, wrappingKeys, refreshKeys, caches);
  const storedEvents = withHashChain(stored, caches);
  const log = withUpcasters(withEncryptedPersonalData(storedEvents, personalKeys, recordsShapes), upcasters);
  return {
    log,
    storedEvents,
    documents,
    backgroundDocuments,
    personalKeys,
    masterKeys,
    refreshKeys,
    sentinel,
    sealMemory: keyStore,
    hashKey: Buffer.alloc(32),
    close: () => closed({ log, documents, backgroundDocuments, personalKeys: keyStore }),
  };
};

const closed = async ({
  log,
  documents,
  backgroundDocuments = documents,
  personalKeys,
}: OpenedStores): Promise<void> => {
  await log.close();
  await documents.close();
  if (backgroundDocuments !== documents) await backgroundDocuments.close();
  await personalKeys.close();
};

/** The stores are separate files in the data directory, or the servers of configured URLs. */
type StoreLocations = Pick<Config, 'dataDir' | 'masterKey' | 'eventStoreDbUrl' | 'mongoDbUrl'> &
  Partial<Pick<Config, 'previousMasterKey' | 'caches' | 'logOrigin'>>;

export interface Opening {
  readonly need?: KeyNeed;
  /** How long calls to the log wait for its server: `requests`, the default, 5 s; `background` 60 s. */
  readonly work?: 'requests' | 'background';
  /** Throws if these do not belong together. It comes before a master key is generated; not for a process that only reads. */
  readonly check?: (documents: DocumentStore, log: EventLog) => Promise<void>;
}

/** Opens them after a check that they belong together (D71). Throws `UnfinishedRestore`, `WrongMasterKey`, `MissingKeys` or `MissingLog`. */
export const openStores = async (
  locations: StoreLocations,
  events: StoredEvents,
  { need = 'serve', work = 'requests', check }: Opening = {},
): Promise<Stores> => {
  const { dataDir, masterKey, previousMasterKey, eventStoreDbUrl, mongoDbUrl, caches = Caches.ON } = locations;
  refuseUnfinishedRestore(dataDir);
  ensurePrivateFolder(dataDir);
  const opened = {
    log:
      eventStoreDbUrl === undefined
        ? openSqliteEventLog({ file: eventsFile(dataDir), caches })
        : await openEventStoreDbEventLog({ url: eventStoreDbUrl, work }),
    documents:
      mongoDbUrl === undefined
        ? openSqliteDocumentStore({ file: join(dataDir, DATA_FILES.documents), caches })
        : await openMongoDbDocumentStore({ url: mongoDbUrl, caches }),
    ...(mongoDbUrl !== undefined && {
      backgroundDocuments: await openMongoDbDocumentStore({ url: mongoDbUrl, work: 'background', caches }),
    }),
    personalKeys:
      mongoDbUrl === undefined
        ? openSqliteKeyStore(join(dataDir, DATA_FILES.keys))
        : await openMongoDbKeyStore({ url: mongoDbUrl }),
    caches,
  };
  const { log, personalKeys: keyStore } = opened;
  const generatedKey = () =>
    need === 'read' ? readersMasterKey(dataDir) : servingMasterKey(dataDir, () => isNewInstallation(log, keyStore));
  try {
    if (need !== 'read') {
      await requireLogOfKeys(log, keyStore);
      await check?.(opened.documents, log);
    }
    const masterKeys = new MasterKeys(masterKey ?? (await generatedKey()), previousMasterKey);
    const stores = layered(opened, masterKeys, events);
    const isEmbedded = eventStoreDbUrl === undefined && mongoDbUrl === undefined;
    const found = await checkKeys({ log, keyStore, sentinel: stores.sentinel, keys: masterKeys, isEmbedded }, need);
    if (need === 'serve') await originOf(stores.storedEvents, locations.logOrigin);
    return found === undefined ? stores : { ...stores, hashKey: found.hashKey };
  } catch (error) {
    await closed(opened);
    throw error;
  }
};

/** The log as its store holds it, for verification: the configured one, or that of a file, a folder or a URL. */
export const openStoredLog = async (
  { dataDir, eventStoreDbUrl, allowPlaintext }: StoreLocations & Pick<Config, 'allowPlaintext'>,
  given?: string,
): Promise<StoredLog> => {
  if (given !== undefined && isLogUrl(given) && !allowPlaintext && isPlaintextStore(given)) {
    throw invalidRequest({ field: 'log', message: NOT_ENCRYPTED });
  }
  const location = given ?? eventStoreDbUrl ?? eventsFile(dataDir);
  return isLogUrl(location)
    ? openEventStoreDbStoredLog({ url: location })
    : openSqliteStoredLog(fileIn(location), given !== undefined);
};

/** The last seal that the key store of that log remembers (D91): the configured store, or the file next to a given log. */
export const rememberedSeal = async (
  { dataDir, mongoDbUrl }: Pick<Config, 'dataDir' | 'mongoDbUrl'>,
  given?: string,
): Promise<RememberedSeal | undefined> => {
  if (given !== undefined && isLogUrl(given)) return undefined;
  const store = await keyStoreBeside(given, dataDir, mongoDbUrl);
  try {
    return await store?.lastSeal();
  } finally {
    await store?.close();
  }
};

const keyStoreBeside = async (
  given: string | undefined,
  dataDir: string,
  mongoDbUrl: string | undefined,
): Promise<PersonalKeyStore | undefined> => {
  if (given === undefined && mongoDbUrl !== undefined) return openMongoDbKeyStore({ url: mongoDbUrl });
  const log = given === undefined ? eventsFile(dataDir) : fileIn(given);
  const file = join(dirname(log), DATA_FILES.keys);
  // A file of another name is a copy from some other time.
  const isThere = basename(log) === DATA_FILES.log && existsSync(file);
  return isThere ? openSqliteKeyStoreForReading(file, given !== undefined) : undefined;
};

export const isLogUrl = (location: string): boolean => /^(?:esdb|kurrentdb)(?:\+discover)?:/.test(location);

const fileIn = (location: string): string =>
  statSync(location, { throwIfNoEntry: false })?.isDirectory() ? eventsFile(location) : location;

const eventsFile = (dataDir: string): string => join(dataDir, DATA_FILES.log);
