import type { DatabaseSync } from 'node:sqlite';
import { runInTransaction, StoreUnavailable } from '#kernel/ports';

const VERSION = 1;

/**
 * `body` is the whole recorded event as JSON. The columns before it are for lookups and filters, and they
 * come first so that filtering never touches a body. `kind` names category and type together, so one small number
 * serves both filters.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

  CREATE TABLE IF NOT EXISTS kinds (
    id INTEGER PRIMARY KEY, category TEXT NOT NULL, type TEXT NOT NULL, UNIQUE (category, type)
  ) STRICT;

  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT;

  PRAGMA user_version = ${VERSION};`;

export function ensureSchema(db: DatabaseSync): void {
  if (versionOf(db) === VERSION) return;
  runInTransaction(db, () => {
    const version = versionOf(db);
    if (version > VERSION) throw new StoreUnavailable(`the event log has schema ${version}, newer than ${VERSION}`);
    db.exec(TABLES);
  });
}

const versionOf = (db: DatabaseSync): number => Number(db.prepare('PRAGMA user_version').get()?.user_version);
