import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensurePrivateFile } from '#kernel/ports';

/**
 * Where collections write through to. Writes of one request become one transaction. Without syncing, a
 * committed one is in the kernel's hands: it survives the death of the process, though not of the machine.
 */
export interface Journal {
  read(kind: string): [id: string, body: string][];
  /** An undefined record is a deletion. */
  note(kind: string, id: string, record: unknown): void;
  commit(): void;
  erase(): void;
  close(): void;
}

export function openJournal(file: string | undefined): Journal {
  return file === undefined ? forgetful : fileJournal(file);
}

const forgetful: Journal = { read: () => [], note() {}, commit() {}, erase() {}, close() {} };

function fileJournal(file: string): Journal {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  ensurePrivateFile(file);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA busy_timeout=2000');
  database.exec(
    'CREATE TABLE IF NOT EXISTS record (kind TEXT, id TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
  );
  const select = database.prepare('SELECT id, body FROM record WHERE kind = ?');
  const upsert = database.prepare('INSERT OR REPLACE INTO record (kind, id, body) VALUES (?, ?, ?)');
  const remove = database.prepare('DELETE FROM record WHERE kind = ? AND id = ?');
  let pending: [kind: string, id: string, record: unknown][] = [];

  return {
    read: (kind) => select.all(kind).map((row) => [String(row.id), String(row.body)]),
    note: (kind, id, record) => void pending.push([kind, id, record]),
    commit() {
      if (pending.length === 0) return;
      database.exec('BEGIN IMMEDIATE');
      for (const [kind, id, record] of pending) {
        if (record === undefined) remove.run(kind, id);
        else upsert.run(kind, id, JSON.stringify(record));
      }
      database.exec('COMMIT');
      pending = [];
    },
    erase() {
      pending = [];
      database.exec('DELETE FROM record');
    },
    close() {
      this.commit();
      database.close();
    },
  };
}
