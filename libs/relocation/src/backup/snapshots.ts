import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { DATA_FILES, type Duration, ensurePrivateFile, requireFile, SECOND } from '#kernel';
import { BackupRefused } from './backup-refused.js';

const BUSY_TIMEOUT: Duration = 5 * SECOND;
const RETRY_DELAY: Duration = 2;
const TIMEOUT: Duration = 30 * SECOND;
/** Some megabytes in one step, between which progress is reported. */
const PAGES_PER_STEP = 500;

const HEAD = 'SELECT coalesce(max(position), 0) AS head FROM events';
const ANY_PAGE = 'SELECT count(*) AS tables FROM sqlite_schema';

/** A file as it was when its transaction began, while others go on writing to it. */
export class Snapshot {
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
export const snapshotsOf = async (folder: string, names: readonly string[]): Promise<readonly Snapshot[]> => {
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
