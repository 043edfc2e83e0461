import { constants, copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DATA_FILES,
  type Duration,
  ensurePrivateFile,
  ensurePrivateFolder,
  refuseUnfinishedRestore,
  requireFile,
  SECOND,
  syncToDisk,
} from '#kernel';
import { PLACED } from './restoring-folder.js';

/** The backup cannot be taken or restored. The message says what to do. Nothing was overwritten. */
export class BackupRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BackupRefused';
  }
}

export interface BackupOptions {
  /** With it, anyone who has the folder can read the personal data in it. */
  readonly withMasterKey?: boolean | undefined;
  readonly onProgress?: (share: number) => void;
}

export interface TakenBackup {
  readonly files: readonly string[];
  readonly bytes: number;
}

/** In the order in which their snapshots begin. */
const DATABASES = [DATA_FILES.counters, DATA_FILES.documents, DATA_FILES.log, DATA_FILES.keys];
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
    throw new BackupRefused(`${from} has no ${DATA_FILES.masterKey}: MASTER_KEY is set, so back up the key separately`);
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
  // A folder is complete when the last of them has its name.
  const files = PLACED.filter((name) => existsSync(join(to, name + PART)));
  for (const name of files) syncToDisk(join(to, name + PART));
  for (const name of files) renameSync(join(to, name + PART), join(to, name));
  syncToDisk(to);
  return { files, bytes };
};

const refuseUsed = (to: string): void => {
  if (!existsSync(to)) return;
  if (readdirSync(to).length > 0) throw new BackupRefused(`${to} is in use: it is not empty. Name a new folder`);
};

const BUSY_TIMEOUT: Duration = 5 * SECOND;
const RETRY_DELAY: Duration = 2;
const TIMEOUT: Duration = 30 * SECOND;
/** Some megabytes in one step, between which progress is reported. */
const PAGES_PER_STEP = 500;

const HEAD = 'SELECT coalesce(max(position), 0) AS head FROM events';
const ANY_PAGE = 'SELECT count(*) AS tables FROM sqlite_schema';

class Snapshot {
  private readonly database: DatabaseSync;

  constructor(
    readonly name: string,
    private readonly file: string,
  ) {
    requireFile(file);
    this.database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT });
  }

  /** From now on it shows one state; SQLite takes it at the first read. */
  begin(): void {
    this.database.exec('BEGIN');
    this.database.prepare(ANY_PAGE).get();
  }

  end(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  get bytes(): number {
    const [pages, size] = ['page_count', 'page_size'].map((name) =>
      Number(this.database.prepare(`PRAGMA ${name}`).get()?.[name]),
    );
    return (pages ?? 0) * (size ?? 0);
  }

  head(): number {
    return Number(this.database.prepare(HEAD).get()?.head);
  }

  /** SQLite's own online backup. Removes what it wrote if it fails. */
  async copyTo(file: string, onProgress: (share: number) => void): Promise<void> {
    try {
      ensurePrivateFile(file);
      await backup(this.database, file, {
        rate: PAGES_PER_STEP,
        progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / Math.max(1, totalPages)),
      });
      onProgress(1);
    } catch (error) {
      rmSync(file, { force: true });
      throw new BackupRefused(`${this.file} was not copied to ${file}: ${String(error)}`);
    }
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }
}

/**
 * Snapshots of the files, all at the same moment of the log: nothing was appended from the first to the last. Documents
 * come first and keys last, so that documents are never later than the log, and every event of it has its key.
 */
const snapshotsOf = async (folder: string, names: readonly string[]): Promise<readonly Snapshot[]> => {
  const opened = names.map((name) => new Snapshot(name, join(folder, name)));
  const log = opened.find(({ name }) => name === DATA_FILES.log);
  const probe = new Snapshot(DATA_FILES.log, join(folder, DATA_FILES.log));
  try {
    for (const deadline = performance.now() + TIMEOUT; performance.now() < deadline; ) {
      for (const snapshot of opened) snapshot.begin();
      if (log?.head() === probe.head()) return opened;
      for (const snapshot of opened) snapshot.end();
      await delay(RETRY_DELAY);
    }
    throw new BackupRefused('the log was written to without a pause; repeat the command');
  } catch (error) {
    for (const snapshot of opened) snapshot.close();
    throw error;
  } finally {
    probe.close();
  }
};
