import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensurePrivateFile } from '#kernel/ports';

/**
 * Where collections write through to. Writes of one request become one transaction. Without syncing, a
 * committed one is in the kernel's hands: it survives the death of the process, though not of the machine.
 */
export class RecordFile {
  readonly #database: DatabaseSync;
  readonly #sql;

  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    ensurePrivateFile(file);
    this.#database = new DatabaseSync(file);
    this.#database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA busy_timeout=2000');
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS record (kind TEXT, id TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
    );
    this.#sql = this.#database.createTagStore();
  }

  bodies(kind: string): string[] {
    return this.#sql.all`SELECT body FROM record WHERE kind = ${kind}`.map(({ body }) => String(body));
  }

  /** An undefined record is a deletion. */
  write(kind: string, id: string, record: unknown): void {
    if (!this.#database.isTransaction) this.#database.exec('BEGIN IMMEDIATE');
    if (record === undefined) this.#sql.run`DELETE FROM record WHERE kind = ${kind} AND id = ${id}`;
    else this.#sql.run`INSERT OR REPLACE INTO record VALUES (${kind}, ${id}, ${JSON.stringify(record)})`;
  }

  commit(): void {
    if (this.#database.isTransaction) this.#database.exec('COMMIT');
  }

  erase(): void {
    this.#database.exec('DELETE FROM record');
  }

  close(): void {
    this.commit();
    this.#database.close();
  }
}
