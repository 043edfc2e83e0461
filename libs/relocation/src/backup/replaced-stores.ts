import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STORED_EVENTS } from '#contexts';
import {
  type CreatorId,
  DATA_FILES,
  damageOfCopy,
  type Instant,
  type ReadableLog,
  type RecordedEvent,
  upcasting,
  type WorkspaceId,
} from '#kernel';
import type { KeptKey, PersonalKeyStore } from '#personal-data';
import { TAKING_TYPES, type TakenAway } from './carry-over.js';
import type { FolderAccess } from './check-backup.js';

/** The events that the replaced log has after the end of the restored one. */
export interface LostEvents {
  /** Null if the replaced log is not a continuation of the restored one, or cannot be read as a whole. */
  readonly lostEvents: number | null;
  readonly lostSeals: number;
  /** Whose feed loses events: an `after` that names one of them is unknown. */
  readonly lostFeeds: readonly WorkspaceId[];
}

export interface ReplacedStores extends LostEvents {
  readonly taken: TakenAway;
  /** Why a store in the data directory could not be read in full, as sentences without a full stop. */
  readonly unread: readonly string[];
  /** D105: stores exist, but neither the log nor the key store shows what was erased or revoked since the backup. */
  readonly isUnknown: boolean;
  /** There is no store that could show it. */
  readonly isNew: boolean;
}

/** Recognizes the replaced stores as those of the same installation. */
interface BackupContent {
  /** The ids of the first events, of the last one, and of all that take something away. */
  readonly eventIds: ReadonlySet<string>;
  readonly last: { readonly id: string; readonly position: number } | undefined;
  readonly creators: ReadonlySet<CreatorId>;
}

interface Found extends LostEvents {
  readonly events: readonly RecordedEvent[];
  readonly fault: string | undefined;
}

const NOTHING: Omit<Found, 'fault'> = { events: [], lostEvents: null, lostSeals: 0, lostFeeds: [] };
const FIRST_EVENTS = 1_000;
/** Replaced stores are kept in folders that are named so. */
export const REPLACED = 'replaced-';

const upcast = upcasting(STORED_EVENTS.upcasters);

/** Reads as much as can be read of the stores that a restore of the backup replaces in the folder. */
export const readReplaced = async (backup: string, to: string, access: FolderAccess): Promise<ReplacedStores> => {
  const content = await contentOf(backup, access);
  const earlier = existsSync(to) ? readdirSync(to).filter((name) => name.startsWith(REPLACED)) : [];
  const folders = earlier.toSorted().map((name) => join(to, name));
  const stores = [DATA_FILES.log, DATA_FILES.keys, DATA_FILES.documents];
  // An earlier build moved the stores away first, so that an interrupted restore of it has left none.
  const current = stores.some((name) => existsSync(join(to, name))) ? to : (folders.at(-1) ?? to);
  const destroyed = new Map<CreatorId, Instant>();
  const seals: TakenAway['seals'][number][] = [];
  const logs = new Map<string, Found>();
  const keyFaults = new Map<string, string | undefined>();
  for (const folder of new Set([...folders, to])) {
    logs.set(folder, await readLog(folder, content, access));
    keyFaults.set(folder, await readKeys(folder, content, access, destroyed, seals));
  }
  const events = [...logs.values()].flatMap((log) => log.events);
  const { fault, ...log } = logs.get(current) ?? { ...NOTHING, fault: undefined };
  const keyFault = keyFaults.get(current);
  const isNew = current === to && !stores.some((name) => existsSync(join(to, name)));
  return {
    ...log,
    taken: { destroyed, seals, events: events.toSorted((one, other) => one.metadata.at - other.metadata.at) },
    unread: isNew ? [] : [fault, keyFault].filter((each) => each !== undefined),
    isUnknown: !isNew && fault !== undefined && keyFault !== undefined,
    isNew,
  };
};

const contentOf = async (backup: string, access: FolderAccess): Promise<BackupContent> => {
  const eventIds = new Set<string>();
  let last: BackupContent['last'];
  const log = access.readLog(backup);
  try {
    for await (const event of log.events()) {
      last = event;
      if (eventIds.size < FIRST_EVENTS || TAKING_TYPES.has(upcast(event).type)) eventIds.add(event.id);
    }
  } finally {
    await log.close();
  }
  if (last !== undefined) eventIds.add(last.id);
  const keys = access.readKeys(backup);
  try {
    return { eventIds, last, creators: new Set((await Array.fromAsync(keys.all())).map(([id]) => id)) };
  } finally {
    await keys.close();
  }
};

const readLog = async (folder: string, backup: BackupContent, access: FolderAccess): Promise<Found> => {
  const unread = (fault: string): Found => ({ ...NOTHING, fault: `${DATA_FILES.log} ${fault}` });
  if (!existsSync(join(folder, DATA_FILES.log))) return unread('is missing');
  let log: ReadableLog;
  try {
    log = access.readLog(folder);
  } catch (error) {
    return unread(`cannot be read: ${String(error)}`);
  }
  try {
    return await readEvents(log, backup);
  } finally {
    await log.close();
  }
};

const readEvents = async (log: ReadableLog, { eventIds, last }: BackupContent): Promise<Found> => {
  const events: RecordedEvent[] = [];
  const feeds = new Set<WorkspaceId>();
  const end = last?.position ?? 0;
  let [found, lostEvents, lostSeals] = [0, 0, 0];
  let [isOwn, continues] = [eventIds.size === 0, last === undefined];
  for await (const stored of log.events()) {
    found++;
    const event = upcast(stored);
    const { id, type, position, metadata } = event;
    if (eventIds.has(id)) isOwn = true;
    else if (TAKING_TYPES.has(type)) events.push(event);
    if (position === end) continues = id === last?.id;
    if (position <= end) continue;
    lostEvents++;
    if (type === 'seal.sealed.v1') lostSeals++;
    if (type === 'eventFeed.eventPublished.v1' && metadata.workspaceId !== null) feeds.add(metadata.workspaceId);
  }
  const { damage } = log;
  const lost = { lostEvents: continues && damage === undefined ? lostEvents : null };
  const content = { ...lost, ...(continues ? { lostSeals, lostFeeds: [...feeds] } : { lostSeals: 0, lostFeeds: [] }) };
  const fault = (what: string | undefined) => what && `${DATA_FILES.log} ${what}`;
  if (found === 0) return { ...NOTHING, fault: fault(damage ? `cannot be read: ${damage}` : 'is empty') };
  if (!isOwn) return { ...NOTHING, fault: fault('is that of another installation') };
  return { ...content, events, fault: fault(damage && `can be read in part only: ${damage}`) };
};

/** Adds to `destroyed` and `seals`. Returns why the store could not be read in full. */
const readKeys = async (
  folder: string,
  { creators }: BackupContent,
  access: FolderAccess,
  destroyed: Map<CreatorId, Instant>,
  seals: TakenAway['seals'][number][],
): Promise<string | undefined> => {
  if (!existsSync(join(folder, DATA_FILES.keys))) return `${DATA_FILES.keys} is missing`;
  let store: PersonalKeyStore;
  try {
    store = access.readKeys(folder);
  } catch (error) {
    return `${DATA_FILES.keys} cannot be read: ${String(error)}`;
  }
  let isOwn = creators.size === 0;
  let count = 0;
  const see = ([id, key]: readonly [CreatorId, KeptKey]) => {
    count++;
    if (creators.has(id)) isOwn = true;
    if (key.status === 'destroyed') destroyed.set(id, key.at);
  };
  try {
    for await (const entry of store.all()) see(entry);
    const seal = await store.lastSeal();
    if (seal !== undefined) seals.push({ seal, sentinel: await store.sentinel() });
  } catch (error) {
    // One by one: a damaged page hides only its own keys.
    for (const id of creators) for (const entry of await store.get([id]).catch(() => [])) see(entry);
    return `${DATA_FILES.keys} can be read in part only: ${String(error)}`;
  } finally {
    await store.close();
  }
  const damage = damageOfCopy(join(folder, DATA_FILES.keys));
  if (isOwn) return damage && `${DATA_FILES.keys} can be read in part only: ${damage}`;
  return `${DATA_FILES.keys} ${count === 0 ? 'is empty' : 'is that of another installation'}`;
};
