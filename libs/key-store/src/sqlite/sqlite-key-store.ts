import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import {
  type CreatorId,
  type Instant,
  openCopyForReading,
  openDatabaseForReading,
  SECOND,
  StoreUnavailable,
} from '#kernel';
import { type DatabaseSettings, messageOf, openDatabase, runInTransaction } from '#kernel/ports';
import type { KeptKey, LastSeal, PersonalKeyStore } from '#personal-data';

const PAGE_SIZE = 500;

/** `secure_delete` overwrites the bytes of a deleted row with zeros. */
const SETTINGS: DatabaseSettings = {
  blocksFor: 5 * SECOND,
  busyFor: 5 * SECOND,
  pageBytes: 4_096,
  synchronous: 'FULL',
  journalBytes: 1024 * 1024,
  pragmas: ['secure_delete = ON'],
};

const TABLES = `
  CREATE TABLE IF NOT EXISTS personal_keys (
    creator_id TEXT PRIMARY KEY,
    wrapped BLOB,
    destroyed_at INTEGER,
    CHECK ((wrapped IS NULL) <> (destroyed_at IS NULL))
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sentinel (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    sealed BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS last_seal (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
    id TEXT NOT NULL,
    count INTEGER NOT NULL,
    root TEXT NOT NULL,
    signature TEXT NOT NULL
  ) STRICT;`;

/** The file is created if missing; its directory must exist. */
export const openSqliteKeyStore = (file: string): PersonalKeyStore =>
  attempt(file, () =>
    openDatabase(file, SETTINGS, (database) => {
      database.exec(TABLES);
      return new SqliteKeyStore(database, file);
    }),
  );

/** A file that is only read, and may be of an older version; a copy, such as a backup, without a change of its folder (D107). */
export const openSqliteKeyStoreForReading = (file: string, isCopy: boolean, damage?: 'is left out'): PersonalKeyStore =>
  attempt(file, () => {
    const probe = 'SELECT 1 FROM personal_keys';
    return new SqliteKeyStore(
      isCopy ? openCopyForReading(file, probe, damage) : openDatabaseForReading(file, probe),
      file,
    );
  });

/** Statements are prepared for each use, which takes 5 µs: the keys in use are cached above the store. */
class SqliteKeyStore implements PersonalKeyStore {
  constructor(
    private readonly database: DatabaseSync,
    private readonly file: string,
  ) {}

  async get(creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, KeptKey>> {
    return attempt(this.file, () => this.kept(creatorIds));
  }

  async add(keys: ReadonlyMap<CreatorId, Buffer>): Promise<ReadonlyMap<CreatorId, KeptKey>> {
    return attempt(this.file, () => {
      runInTransaction(this.database, () => {
        const insert = this.database.prepare('INSERT OR IGNORE INTO personal_keys (creator_id, wrapped) VALUES (?, ?)');
        for (const [creatorId, wrapped] of keys) insert.run(creatorId, wrapped);
      });
      return this.kept([...keys.keys()]);
    });
  }

  async replace(creatorId: CreatorId, from: Buffer, to: Buffer): Promise<boolean> {
    const sql = 'UPDATE personal_keys SET wrapped = ? WHERE creator_id = ? AND wrapped = ?';
    return this.changesOne(sql, to, creatorId, from);
  }

  async sentinel(): Promise<Buffer | undefined> {
    return attempt(this.file, () => {
      const sealed = this.only('sentinel')?.sealed;
      return sealed instanceof Uint8Array ? Buffer.from(sealed) : undefined;
    });
  }

  async addSentinel(sentinel: Buffer): Promise<Buffer> {
    this.changesOne('INSERT OR IGNORE INTO sentinel (id, sealed) VALUES (1, ?)', sentinel);
    return (await this.sentinel()) ?? sentinel;
  }

  async replaceSentinel(from: Buffer, to: Buffer | undefined): Promise<boolean> {
    if (to === undefined) return this.changesOne('DELETE FROM sentinel WHERE sealed = ?', from);
    return this.changesOne('UPDATE sentinel SET sealed = ? WHERE sealed = ?', to, from);
  }

  async lastSeal(): Promise<LastSeal | undefined> {
    return attempt(this.file, () => {
      const row = this.only('last_seal');
      return (
        row && {
          id: String(row.id),
          count: Number(row.count),
          root: String(row.root),
          signature: String(row.signature),
        }
      );
    });
  }

  async rememberSeal({ id, count, root, signature }: LastSeal, replaced: LastSeal | undefined): Promise<boolean> {
    if (replaced === undefined)
      return this.changesOne('INSERT OR IGNORE INTO last_seal VALUES (1, ?, ?, ?, ?)', id, count, root, signature);
    const sql = 'UPDATE last_seal SET id = ?, count = ?, root = ?, signature = ? WHERE signature = ?';
    return this.changesOne(sql, id, count, root, signature, replaced.signature);
  }

  async destroy(creatorId: CreatorId, at: Instant): Promise<void> {
    attempt(this.file, () => {
      const overwrite = this.database.prepare(
        `INSERT INTO personal_keys (creator_id, destroyed_at) VALUES (?, ?)
         ON CONFLICT (creator_id) DO UPDATE SET wrapped = NULL, destroyed_at = excluded.destroyed_at
         WHERE wrapped IS NOT NULL`,
      );
      overwrite.run(creatorId, at);
      // Only now the page in the file is overwritten, and its copy in the write-ahead log is gone.
      const done = this.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      if (done?.busy !== 0) throw new Error('other processes were reading the key store; repeat the command');
    });
  }

  async *all(): AsyncGenerator<readonly [CreatorId, KeptKey]> {
    for (let after = ''; ; ) {
      const rows = attempt(this.file, () => this.database.prepare(PAGE).all(after, PAGE_SIZE));
      for (const row of rows) {
        after = String(row.creator_id);
        yield [after as CreatorId, asKept(row)];
      }
      if (rows.length < PAGE_SIZE) return;
    }
  }

  async close(): Promise<void> {
    if (this.database.isOpen) this.database.close();
  }

  private kept(creatorIds: readonly CreatorId[]): ReadonlyMap<CreatorId, KeptKey> {
    const read = this.database.prepare('SELECT wrapped, destroyed_at FROM personal_keys WHERE creator_id = ?');
    const found = new Map<CreatorId, KeptKey>();
    for (const creatorId of creatorIds) {
      const row = read.get(creatorId);
      if (row !== undefined) found.set(creatorId, asKept(row));
    }
    return found;
  }

  /** The row of a table that files of older versions lack. */
  private only(table: 'sentinel' | 'last_seal'): Record<string, SQLOutputValue> | undefined {
    const isThere = this.database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
    return isThere ? this.database.prepare(`SELECT * FROM ${table}`).get() : undefined;
  }

  private changesOne(sql: string, ...values: readonly SQLInputValue[]): boolean {
    return attempt(this.file, () => this.database.prepare(sql).run(...values).changes === 1);
  }
}

const PAGE =
  'SELECT creator_id, wrapped, destroyed_at FROM personal_keys WHERE creator_id > ? ORDER BY creator_id LIMIT ?';

const asKept = ({ wrapped, destroyed_at: at }: Record<string, SQLOutputValue>): KeptKey =>
  wrapped instanceof Uint8Array
    ? { status: 'kept', wrapped: Buffer.from(wrapped) }
    : { status: 'destroyed', at: Number(at) };

const attempt = <Result>(file: string, task: () => Result): Result => {
  try {
    return task();
  } catch (error) {
    throw new StoreUnavailable(`${file}: ${messageOf(error)}`, { cause: error });
  }
};
