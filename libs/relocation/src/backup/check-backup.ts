import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CreatorId,
  DATA_FILES,
  type DocumentStore,
  type EventLog,
  isOfLog,
  openDatabaseForReading,
} from '#kernel';
import { encryptedPersonalOf, type PersonalKeyStore } from '#personal-data';
import type { RelocatedStores } from '../copy-stores.js';
import { eventsAfter } from '../log-walk.js';

/** Opens the stores of a folder, as they are stored: nothing is decrypted. The caller closes them. */
export interface FolderAccess {
  log(folder: string): EventLog;
  personalKeys(folder: string): PersonalKeyStore;
  documents(folder: string): DocumentStore;
}

export interface CheckedBackup {
  readonly events: number;
  readonly personalKeys: number;
  readonly destroyedPersonalKeys: number;
  /** As sentences without a full stop; empty if the files belong together. */
  readonly faults: readonly string[];
  /** A fault too, but one with which the service starts and says so (D91), so that it does not prevent a restore. */
  readonly sealFaults: readonly string[];
}

const NEEDED = [DATA_FILES.log, DATA_FILES.keys];
const DATABASES = [...NEEDED, DATA_FILES.documents, DATA_FILES.counters];

/** Whether the files of a folder are whole, and belong together. Nobody may be using the folder. */
export const checkBackup = async (
  folder: string,
  access: FolderAccess,
  runners: readonly string[],
): Promise<CheckedBackup> => {
  const faults = [
    ...NEEDED.filter((name) => !existsSync(join(folder, name))).map((name) => `${name} is missing`),
    ...DATABASES.filter((name) => existsSync(join(folder, name))).flatMap((name) => damageOf(folder, name)),
  ];
  if (faults.length > 0) return { events: 0, personalKeys: 0, destroyedPersonalKeys: 0, faults, sealFaults: [] };
  const documents = existsSync(join(folder, DATA_FILES.documents)) ? access.documents(folder) : undefined;
  const stores = { log: access.log(folder), personalKeys: access.personalKeys(folder) };
  try {
    const kept = await keptKeys(stores.personalKeys);
    const { events, sealFaults, ...ofLog } = await faultsOfLog(stores, kept.ids);
    const ofDocuments = documents === undefined ? [] : await faultsOfDocuments(stores.log, documents, runners);
    return { events, ...kept.counts, faults: [...ofLog.faults, ...ofDocuments], sealFaults };
  } finally {
    for (const store of [stores.log, stores.personalKeys, documents]) await store?.close();
  }
};

const damageOf = (folder: string, name: string): string[] => {
  try {
    const database = openDatabaseForReading(join(folder, name), 'SELECT count(*) FROM sqlite_schema');
    try {
      const [first] = database.prepare('PRAGMA quick_check(1)').all();
      return first?.quick_check === 'ok' ? [] : [`${name} is damaged: ${String(first?.quick_check)}`];
    } finally {
      database.close();
    }
  } catch (error) {
    return [`${name} cannot be read: ${String(error)}`];
  }
};

const keptKeys = async (store: PersonalKeyStore) => {
  const ids = new Set<CreatorId>();
  let destroyedPersonalKeys = 0;
  for await (const [creatorId, { status }] of store.all()) {
    ids.add(creatorId);
    if (status === 'destroyed') destroyedPersonalKeys++;
  }
  return { ids, counts: { personalKeys: ids.size, destroyedPersonalKeys } };
};

const faultsOfLog = async ({ log, personalKeys }: RelocatedStores, keys: ReadonlySet<CreatorId>) => {
  const lastSeal = await personalKeys.lastSeal();
  const without = new Set<CreatorId>();
  let hasLastSeal = lastSeal === undefined;
  let events = 0;
  for await (const { id, data } of eventsAfter(log, 0)) {
    events++;
    if (id === lastSeal?.id) hasLastSeal = true;
    const creatorId = encryptedPersonalOf(data)?.encryptedFor;
    if (creatorId !== undefined && !keys.has(creatorId)) without.add(creatorId);
  }
  const faults = [...without].map((creatorId) => `${DATA_FILES.keys} lacks the key of ${creatorId}`);
  const lost = `${DATA_FILES.log} lacks the seal ${lastSeal?.id} that ${DATA_FILES.keys} remembers`;
  return { events, faults, sealFaults: hasLastSeal ? [] : [lost] };
};

const faultsOfDocuments = async (
  log: EventLog,
  documents: DocumentStore,
  runners: readonly string[],
): Promise<string[]> => {
  const others: string[] = [];
  for (const runner of runners) {
    const checkpoint = await documents.checkpoint(runner);
    if (checkpoint !== undefined && !(await isOfLog(log, checkpoint))) others.push(runner);
  }
  if (others.length === 0) return [];
  return [`${DATA_FILES.documents} is newer than ${DATA_FILES.log}, or of another log: ${others.join(', ')}`];
};
