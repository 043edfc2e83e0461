import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATA_FILES, ensurePrivateFolder, giveToOwnerOf, RESTORING, requireFile, syncToDisk } from '#kernel';

/** The log last: while it is missing, nothing starts, not even an earlier build (D92). */
export const PLACED = [
  DATA_FILES.masterKey,
  DATA_FILES.counters,
  DATA_FILES.documents,
  DATA_FILES.keys,
  DATA_FILES.log,
] as const;
/** The file itself last: where it is in its place, so is what SQLite has added to it. */
const SUFFIXES = ['-wal', '-shm', ''];
const REPORT = 'report.json';

/** A prepared restore. Nothing else is needed to finish it. */
interface Prepared<Report> {
  readonly report: Report;
  readonly files: readonly string[];
  /** The name of the folder that keeps the replaced files. */
  readonly replaced: string;
}

/**
 * D106: the folder in a data directory that a restore works in, and that nothing starts with. All is prepared in `ready`.
 * Once the report is written too, the files only have to be moved, the replaced ones into this folder, which is renamed
 * in the end. So a restore that was interrupted before has changed nothing, and another one begins again; after that, it
 * is finished, with the same report.
 */
export class RestoringFolder<Report> {
  private readonly folder: string;
  readonly ready: string;

  constructor(private readonly dataDir: string) {
    this.folder = join(dataDir, RESTORING);
    this.ready = join(this.folder, 'ready');
  }

  prepared(): Prepared<Report> | undefined {
    const file = join(this.folder, REPORT);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Prepared<Report>) : undefined;
  }

  /** Copies the files of a backup, and a master key that the backup leaves out. */
  begin(backup: string): void {
    this.remove();
    ensurePrivateFolder(this.ready);
    syncToDisk(this.dataDir);
    for (const name of PLACED) this.copy(join(backup, name), name);
    if (!existsSync(join(this.ready, DATA_FILES.masterKey)))
      this.copy(join(this.dataDir, DATA_FILES.masterKey), DATA_FILES.masterKey);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** From here on, the restore can only be finished. */
  commit(report: Report, replaced: string): void {
    // The one that is there stays in its place.
    if (this.hasOwnKey()) rmSync(join(this.ready, DATA_FILES.masterKey));
    const files = PLACED.filter((name) => existsSync(join(this.ready, name)));
    for (const name of files) {
      mergeLog(join(this.ready, name));
      this.makePrivate(join(this.ready, name));
      syncToDisk(join(this.ready, name));
    }
    syncToDisk(this.ready);
    const draft = join(this.folder, `${REPORT}.part`);
    const prepared: Prepared<Report> = { report, files, replaced };
    writeFileSync(draft, JSON.stringify(prepared), { mode: 0o600, flush: true });
    this.makePrivate(draft);
    renameSync(draft, join(this.folder, REPORT));
    syncToDisk(this.folder);
  }

  /** Moves everything into its place. Returns where the replaced files are; undefined if there were none. */
  finish({ files, replaced }: Prepared<Report>): string | undefined {
    const isPlaced = (name: string) => files.includes(name) && !existsSync(join(this.ready, name));
    const isKept = (name: string) => name === DATA_FILES.masterKey && !files.includes(name);
    for (const name of PLACED.filter((each) => !isPlaced(each) && !isKept(each)).toReversed())
      move(this.dataDir, this.folder, name);
    syncToDisk(this.folder);
    syncToDisk(this.dataDir);
    for (const name of PLACED) {
      if (!existsSync(join(this.ready, name))) continue;
      renameSync(join(this.ready, name), join(this.dataDir, name));
      syncToDisk(this.dataDir);
    }
    rmSync(this.ready, { recursive: true, force: true });
    const folder = join(this.dataDir, replaced);
    renameSync(this.folder, folder);
    syncToDisk(this.dataDir);
    if (readdirSync(folder).some((name) => name !== REPORT)) return folder;
    rmSync(folder, { recursive: true });
    return undefined;
  }

  private hasOwnKey(): boolean {
    const own = join(this.dataDir, DATA_FILES.masterKey);
    try {
      requireFile(own);
      return readFileSync(own).equals(readFileSync(join(this.ready, DATA_FILES.masterKey)));
    } catch {
      // One that is missing or unreadable.
      return false;
    }
  }

  private copy(from: string, name: string): void {
    const to = join(this.ready, name);
    for (const suffix of ['', '-wal']) {
      if (!existsSync(from + suffix)) continue;
      requireFile(from + suffix);
      copyFileSync(from + suffix, to + suffix);
      this.makePrivate(to + suffix);
    }
    mergeLog(to);
  }

  /** The copy has got the mode of the original. */
  private makePrivate(file: string): void {
    chmodSync(file, 0o600);
    giveToOwnerOf(this.dataDir, file);
  }
}

/** Only the file itself is moved into its place. */
const mergeLog = (file: string): void => {
  if (!existsSync(`${file}-wal`)) return;
  const database = new DatabaseSync(file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
};

const move = (from: string, to: string, name: string): void => {
  for (const suffix of SUFFIXES)
    if (existsSync(join(from, name + suffix))) renameSync(join(from, name + suffix), join(to, name + suffix));
};
