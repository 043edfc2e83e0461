import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ensurePrivateFile } from '#kernel/ports';

/**
 * Where collections write through to; `place`, by which they are walked, is derived from the records at each start.
 * Without syncing, a committed write is in the kernel's hands: it survives the death of the process, though not of the
 * machine.
 */
export function openDatabase(file: string | undefined): DatabaseSync {
  if (file !== undefined) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    ensurePrivateFile(file);
  }
  const database = new DatabaseSync(file ?? ':memory:');
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = 2000; PRAGMA temp_store = MEMORY;
    CREATE TABLE IF NOT EXISTS record (kind TEXT, id TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
    CREATE TEMP TABLE place (kind TEXT, id TEXT, owner TEXT, sort_key TEXT, alias TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID;
    CREATE INDEX walk ON place (kind, owner, sort_key);
    CREATE INDEX alias ON place (kind, alias)`);
  return database;
}
