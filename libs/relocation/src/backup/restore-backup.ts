import { copyFileSync, existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CreatorId, DATA_FILES, ensurePrivateFile, type Instant, type RecordedEvent } from '#kernel';
import { BackupRefused } from './backup-refused.js';
import { carriedErasures } from './carried-erasures.js';
import { carriedKeys, carryInto, type ErasedCreators, foldersWithKeys, REPLACED, STAGED } from './carried-keys.js';
import { checkBackup, type FolderAccess } from './check-backup.js';
import { refuseFolderInUse } from './folder-in-use.js';
import { type LostEvents, lostEvents } from './lost-events.js';

export interface RestoredBackup extends LostEvents, ErasedCreators {
  readonly events: number;
  /** Where the replaced files are; undefined if there were none. */
  readonly replaced: string | undefined;
  /** What the replaced log had recorded of their erasures, where it can be read. */
  readonly erasures: ReadonlyMap<CreatorId, readonly RecordedEvent[]>;
}

/** The log last: while it is missing, nothing starts (D92), and the same command finishes the restore. */
const PLACED = [DATA_FILES.masterKey, DATA_FILES.counters, DATA_FILES.documents, DATA_FILES.keys, DATA_FILES.log];
const SUFFIXES = ['', '-wal', '-shm'];

/** Keeps the replaced files in a folder of it. Rejects with `BackupRefused` before anything is changed. */
export const restoreBackup = async (
  from: string,
  to: string,
  access: FolderAccess,
  runners: readonly string[],
  now: Instant,
): Promise<RestoredBackup> => {
  if (resolve(from) === resolve(to)) throw new BackupRefused(`${from} is the data directory itself`);
  const { events, faults } = await checkBackup(from, access, runners);
  if (faults.length > 0) throw new BackupRefused(`${from} was not restored: ${faults.join('; ')}`);
  if (existsSync(to)) refuseFolderInUse(to);
  const staged = join(to, STAGED);
  mkdirSync(staged, { recursive: true, mode: 0o700 });
  const folders = foldersWithKeys(to);
  const carried = await carriedKeys(folders, access);
  const lost = await lostEvents(from, to, access);
  stage(from, staged);
  const keys = access.personalKeys(staged);
  const { erasedSince, erasedUnknown } = await carryInto(keys, carried).finally(() => keys.close());
  const erasures = await carriedErasures(folders, erasedSince, access);
  // D72: they show what was erased since. Without them, they are built again from the log, which cannot be read there.
  if (erasedSince.length > 0) removeFrom(staged, DATA_FILES.documents);
  const replaced = moveAway(to, staged, join(to, `${REPLACED}${new Date(now).toISOString().replaceAll(':', '-')}`));
  for (const name of PLACED) move(staged, to, name);
  rmdirSync(staged);
  return { events, replaced, erasedSince, erasedUnknown, erasures, ...lost };
};

const stage = (from: string, staged: string): void => {
  for (const name of PLACED) {
    removeFrom(staged, name);
    if (!existsSync(join(from, name))) continue;
    ensurePrivateFile(join(staged, name));
    copyFileSync(join(from, name), join(staged, name));
  }
};

/** All that belongs to the replaced log; a master key stays where the backup has none. */
const moveAway = (to: string, staged: string, replaced: string): string | undefined => {
  const names = PLACED.filter((name) => name !== DATA_FILES.masterKey || existsSync(join(staged, name)));
  const isThere = (name: string) => SUFFIXES.some((suffix) => existsSync(join(to, name + suffix)));
  if (!names.some(isThere)) return undefined;
  mkdirSync(replaced, { mode: 0o700 });
  for (const name of names.toReversed()) move(to, replaced, name);
  return replaced;
};

const move = (from: string, to: string, name: string): void => {
  for (const suffix of SUFFIXES)
    if (existsSync(join(from, name + suffix))) renameSync(join(from, name + suffix), join(to, name + suffix));
};

const removeFrom = (folder: string, name: string): void => {
  for (const suffix of SUFFIXES) rmSync(join(folder, name + suffix), { force: true });
};
