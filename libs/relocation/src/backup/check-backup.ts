import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkpoint, type CreatorId, DATA_FILES, openCopyForReading, type ReadableLog } from '#kernel';
import { messageOf } from '#kernel/ports';
import { encryptedPersonalOf, type PersonalKeyStore } from '#personal-data';

/** Opens the stores of a folder, as they are stored: nothing is decrypted. The caller closes them. */
export interface FolderAccess {
  /** These four change no byte of the folder (D107). */
  readLog(folder: string): ReadableLog;
  readKeys(folder: string): PersonalKeyStore;
  readCheckpoints(folder: string, runners: readonly string[]): readonly Checkpoint[];
  /** As a sentence without a full stop. */
  masterKeyFault(folder: string): string | undefined;
  personalKeys(folder: string): PersonalKeyStore;
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
    ...[access.masterKeyFault(folder)].filter((fault) => fault !== undefined),
  ];
  if (faults.length > 0) return { events: 0, personalKeys: 0, destroyedPersonalKeys: 0, faults, sealFaults: [] };
  const hasDocuments = existsSync(join(folder, DATA_FILES.documents));
  const checkpoints = hasDocuments ? access.readCheckpoints(folder, runners) : [];
  const [log, personalKeys] = [access.readLog(folder), access.readKeys(folder)];
  try {
    const { ids, counts } = await keptKeys(personalKeys);
    return { ...counts, ...(await checkedLog(log, ids, checkpoints, (await personalKeys.lastSeal())?.id)) };
  } finally {
    await log.close();
    await personalKeys.close();
  }
};

const damageOf = (folder: string, name: string): string[] => {
  try {
    const database = openCopyForReading(join(folder, name), 'SELECT count(*) FROM sqlite_schema');
    try {
      const [first] = database.prepare('PRAGMA quick_check(1)').all();
      return first?.quick_check === 'ok' ? [] : [`${name} is damaged: ${String(first?.quick_check)}`];
    } finally {
      database.close();
    }
  } catch (error) {
    return [`${name} cannot be read: ${messageOf(error)}`];
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

const checkedLog = async (
  log: ReadableLog,
  keys: ReadonlySet<CreatorId>,
  checkpoints: readonly Checkpoint[],
  lastSeal: string | undefined,
) => {
  const without = new Set<CreatorId>();
  const found = new Set<string>();
  let [events, head] = [0, 0];
  for await (const { id, position, data } of log.events()) {
    events++;
    head = position;
    for (const { name, event } of checkpoints) if (event?.id === id && event.position === position) found.add(name);
    if (id === lastSeal) found.add(id);
    const creatorId = encryptedPersonalOf(data)?.encryptedFor;
    if (creatorId !== undefined && !keys.has(creatorId)) without.add(creatorId);
  }
  // D92: a checkpoint of an older version names no event.
  const isOfLog = ({ name, position, event }: Checkpoint) => (event === undefined ? position <= head : found.has(name));
  const others = checkpoints.filter((checkpoint) => !isOfLog(checkpoint)).map(({ name }) => name);
  const lost = `${DATA_FILES.log} lacks the seal ${lastSeal} that ${DATA_FILES.keys} remembers`;
  return {
    events,
    faults: [
      ...(log.damage === undefined ? [] : [`${DATA_FILES.log} is damaged: ${log.damage}`]),
      ...[...without].map((creatorId) => `${DATA_FILES.keys} lacks the key of ${creatorId}`),
      ...(others.length === 0
        ? []
        : [`${DATA_FILES.documents} is newer than ${DATA_FILES.log}, or belongs to another log: ${others.join(', ')}`]),
    ],
    sealFaults: lastSeal === undefined || found.has(lastSeal) ? [] : [lost],
  };
};
