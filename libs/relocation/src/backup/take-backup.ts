import { constants, copyFileSync, existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILES, ensurePrivateFolder, refuseUnfinishedRestore, syncToDisk } from '#kernel';
import { BackupRefused } from './backup-refused.js';
import { snapshotsOf } from './snapshots.js';

export interface BackupOptions {
  /** With it, everybody who has the folder can read the personal data in it. */
  readonly withMasterKey?: boolean | undefined;
  /** The part of the bytes that is copied, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

export interface TakenBackup {
  readonly files: readonly string[];
  readonly bytes: number;
}

/** In the order in which their snapshots begin. */
const DATABASES = [DATA_FILES.counters, DATA_FILES.documents, DATA_FILES.log, DATA_FILES.keys];
/** A folder is complete when the last of them has its name. */
const NAMED_LAST = [DATA_FILES.masterKey, DATA_FILES.counters, DATA_FILES.documents, DATA_FILES.keys, DATA_FILES.log];
const PART = '.part';

/** Copies the files of a data directory, also of one in use, into a new or empty folder. Rejects with `BackupRefused`. */
export const takeBackup = async (
  from: string,
  to: string,
  { withMasterKey = false, onProgress = () => undefined }: BackupOptions = {},
): Promise<TakenBackup> => {
  if (!existsSync(join(from, DATA_FILES.log)))
    throw new BackupRefused(`${from} has no ${DATA_FILES.log}: set DATA_DIR`);
  refuseUnfinishedRestore(from);
  refuseUsed(to);
  const masterKey = join(from, DATA_FILES.masterKey);
  if (withMasterKey && !existsSync(masterKey)) {
    throw new BackupRefused(`${from} has no ${DATA_FILES.masterKey}: MASTER_KEY is set, so keep it where it is kept`);
  }
  ensurePrivateFolder(to);
  const snapshots = await snapshotsOf(
    from,
    DATABASES.filter((name) => existsSync(join(from, name))),
  );
  const bytes = snapshots.reduce((sum, snapshot) => sum + snapshot.bytes, 0);
  try {
    let done = 0;
    // The keys first: an erasure cannot end while somebody reads them.
    for (const snapshot of snapshots.toReversed()) {
      const size = snapshot.bytes;
      await snapshot.copyTo(join(to, snapshot.name + PART), (share) => onProgress((done + size * share) / bytes));
      done += size;
      snapshot.close();
    }
  } finally {
    for (const snapshot of snapshots) snapshot.close();
  }
  if (withMasterKey) copyFileSync(masterKey, join(to, DATA_FILES.masterKey + PART), constants.COPYFILE_EXCL);
  const files = NAMED_LAST.filter((name) => existsSync(join(to, name + PART)));
  for (const name of files) syncToDisk(join(to, name + PART));
  for (const name of files) renameSync(join(to, name + PART), join(to, name));
  syncToDisk(to);
  return { files, bytes };
};

const refuseUsed = (to: string): void => {
  if (!existsSync(to)) return;
  if (readdirSync(to).length > 0) throw new BackupRefused(`${to} is in use: it is not empty. Name a new folder`);
};
