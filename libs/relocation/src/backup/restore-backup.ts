import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type Clock,
  DATA_FILES,
  type DocumentStore,
  damageOfCopy,
  type EventLog,
  ensurePrivateFolder,
  foreignTo,
  newEventId,
  RESTORING,
  requireFile,
  streamName,
} from '#kernel';
import { isBusy } from '#kernel/ports';
import type { PersonalKeyStore } from '#personal-data';
import { type CarriedOver, carryOver, type TakenAway } from './carry-over.js';
import { checkBackup, type FolderAccess } from './check-backup.js';
import { type LostEvents, REPLACED, type ReplacedStores, readReplaced } from './replaced-stores.js';
import { RestoringFolder } from './restoring-folder.js';
import { BackupRefused } from './take-backup.js';

export interface RestoredBackup extends LostEvents, CarriedOver {
  readonly from: string;
  readonly events: number;
  /** How many dashboard sessions the documents of the backup had. */
  readonly endedSessions: number;
  /** Why a store in the data directory could not be read in full, as sentences without a full stop. */
  readonly unread: readonly string[];
  readonly isNew: boolean;
}

export interface RestoreOptions extends FolderAccess {
  readonly runners: readonly string[];
  readonly clock: Clock;
  /** The collections of the sessions that end. */
  readonly sessions: readonly string[];
  /**
   * Runs the task on the stores of a folder as the service opens them. Rejects if the master key does not belong to them,
   * so that it is known before anything is replaced.
   */
  readonly withStores: <Result>(
    folder: string,
    task: (stores: { readonly log: EventLog; readonly documents: DocumentStore }) => Promise<Result>,
  ) => Promise<Result>;
  /** Who accepts that nothing shows what was erased or revoked since the backup. */
  readonly acceptedBy: string | undefined;
}

/** Keeps the replaced files in a folder of it. Rejects with `BackupRefused` before anything is changed. */
export const restoreBackup = async (
  from: string,
  to: string,
  options: RestoreOptions,
): Promise<RestoredBackup & { readonly replaced: string | undefined }> => {
  if (resolve(from) === resolve(to)) throw new BackupRefused(`${from} is the data directory itself`);
  if (!relative(join(to, RESTORING), from).startsWith('..'))
    throw new BackupRefused(`${from} was left by an interrupted restore: name the backup itself`);
  refuseForeign(to);
  if (existsSync(to)) refuseFolderInUse(to);
  const restoring = new RestoringFolder<RestoredBackup>(to);
  const interrupted = restoring.prepared();
  if (interrupted !== undefined && interrupted.report.from !== resolve(from)) {
    const { from: other } = interrupted.report;
    throw new BackupRefused(
      `the restore from ${other} was interrupted: run it again, with --from ${other}, to finish it`,
    );
  }
  if (interrupted === undefined) await prepare(from, to, restoring, options);
  const prepared = restoring.prepared();
  if (prepared === undefined) throw new Error(`nothing is prepared in ${to}`);
  return { ...prepared.report, replaced: restoring.finish(prepared) };
};

/** A process that is not root cannot give its files to the owner of the folder. */
const refuseForeign = (folder: string): void => {
  const own = process.geteuid?.();
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
  if (own !== 0 && owner !== undefined && owner !== own) throw new BackupRefused(foreignTo(folder));
};

const prepare = async (
  from: string,
  to: string,
  restoring: RestoringFolder<RestoredBackup>,
  options: RestoreOptions,
): Promise<void> => {
  const { events, faults } = await checkBackup(from, options, options.runners);
  // It is used if the backup has none.
  const ownKeyFault = existsSync(join(from, DATA_FILES.masterKey)) ? undefined : options.masterKeyFault(to);
  if (ownKeyFault !== undefined) throw new BackupRefused(`${from} was not restored: ${ownKeyFault}`);
  if (faults.length > 0) throw new BackupRefused(`${from} was not restored: ${faults.join('; ')}`);
  const { taken, isUnknown, ...replaced } = await readReplaced(from, to, options);
  if (isUnknown && options.acceptedBy === undefined) throw new BackupRefused(nothingKnown(to, replaced.unread));
  ensurePrivateFolder(to);
  try {
    restoring.begin(from);
    const carried = await record(restoring.ready, taken, isUnknown ? replaced.unread : [], options);
    const { lostEvents, lostSeals, lostFeeds, unread, isNew } = replaced;
    const lost = { lostEvents, lostSeals, lostFeeds, unread, isNew };
    const time = new Date(options.clock.now()).toISOString().replaceAll(':', '-');
    restoring.commit({ from: resolve(from), events, ...lost, ...carried }, REPLACED + time);
  } catch (error) {
    if (restoring.prepared() === undefined) restoring.remove();
    throw error;
  }
};

const nothingKnown = (to: string, unread: ReplacedStores['unread']): string =>
  `${to} was not restored: nothing says what was erased or revoked since the backup, because ${unread.join(', and ')}. ` +
  'Nothing was changed. To restore anyway, add --accept-unknown: who was erased since is shown again, and keys that ' +
  'were revoked since work again, until you erase and revoke them again';

/** In the folder, before it takes the place of another. */
const record = async (
  folder: string,
  taken: TakenAway,
  accepted: readonly string[],
  { readKeys, personalKeys, withStores, clock, sessions, acceptedBy }: RestoreOptions,
): Promise<CarriedOver & Pick<RestoredBackup, 'endedSessions'>> => {
  if (await showsErased(readKeys(folder), taken)) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, DATA_FILES.documents + suffix), { force: true });
  }
  return withStores(folder, async ({ log, documents }) => {
    const keys = personalKeys(folder);
    const carried = await carryOver(taken, { log, personalKeys: keys }, clock).finally(() => keys.close());
    if (accepted.length > 0 && acceptedBy !== undefined) await recordAccepted(log, accepted, acceptedBy, clock);
    let endedSessions = 0;
    for (const name of (await documents.collections()).filter((each) => sessions.includes(each))) {
      endedSessions += await documents.count(name);
      await documents.drop(name);
    }
    return { ...carried, endedSessions };
  });
};

/** D72: documents of the backup may show who was erased since. They are built again. */
const showsErased = async (keys: PersonalKeyStore, { destroyed, events }: TakenAway): Promise<boolean> => {
  try {
    const kept = await Array.fromAsync(keys.all());
    return (
      events.some(({ type }) => type === 'creator.personalDataErased.v1') ||
      kept.some(([id, { status }]) => status === 'kept' && destroyed.has(id))
    );
  } finally {
    await keys.close();
  }
};

const recordAccepted = async (log: EventLog, unread: readonly string[], actor: string, clock: Clock): Promise<void> => {
  const id = newEventId();
  const metadata = { at: clock.now(), correlationId: id, causationId: null, actor, workspaceId: null };
  const event = { id, type: 'restore.unknownAccepted.v1', data: { unread }, metadata };
  await log.append(streamName('restore', 'log'), 'any', [event]);
};

const DATABASES = [DATA_FILES.log, DATA_FILES.keys, DATA_FILES.documents];

/** Each process of the service holds the files open, and SQLite grants the exclusive lock to nobody then. */
const refuseFolderInUse = (folder: string): void => {
  for (const name of DATABASES) {
    if (existsSync(join(folder, name)) && isOpenElsewhere(join(folder, name)))
      throw new BackupRefused(`${folder} is in use: stop all processes of the service, and repeat the command`);
  }
};

const isOpenElsewhere = (file: string): boolean => {
  const wal = `${file}-wal`;
  try {
    requireFile(file);
    const damaged = damageOfCopy(file) === undefined ? undefined : readFileSync(wal);
    try {
      lockForAMoment(new DatabaseSync(file, { timeout: 0 }));
    } finally {
      // SQLite removes it when it closes the file; it is still to be reported, and kept.
      if (damaged !== undefined && !existsSync(wal)) writeFileSync(wal, damaged, { mode: 0o600 });
    }
    return false;
  } catch (error) {
    // A damaged file, or one that cannot be opened, is to be replaced, and is in use by nobody.
    return isBusy(error);
  }
};

const lockForAMoment = (database: DatabaseSync): void => {
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK');
  } finally {
    database.close();
  }
};
