import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ensureSchema } from './schema.js';
import { openSqliteStoredLog, schemaFaults } from './stored-log.js';

describe('the schema of an embedded log', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'schema-'));
    file = join(folder, 'events.db');
    changedBy('');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const changedBy = (sql: string) => {
    const db = new DatabaseSync(file);
    ensureSchema(db);
    db.exec(sql);
    db.close();
  };
  const faults = async () => {
    const log = openSqliteStoredLog(file);
    try {
      return await log.schemaFaults?.();
    } finally {
      await log.close();
    }
  };

  it('is faultless as the service makes it, and after ANALYZE', async () => {
    expect(await faults()).toEqual([]);
    changedBy("INSERT INTO streams (name) VALUES ('thing-1'); ANALYZE;");
    expect(await faults()).toEqual([]);
  });

  it.each([
    [
      'CREATE TRIGGER sly AFTER INSERT ON events BEGIN DELETE FROM streams; END',
      "the trigger sly is not the log's own",
    ],
    ['CREATE VIEW sly AS SELECT 1', "the view sly is not the log's own"],
    ['CREATE INDEX sly ON events (kind)', "the index sly is not the log's own"],
    ['CREATE TABLE sly (id INTEGER)', "the table sly is not the log's own"],
    ['ALTER TABLE streams ADD COLUMN sly TEXT', "the table streams is not defined as the log's own"],
  ])('%s is a fault', async (sql, fault) => {
    changedBy(sql);
    expect(await faults()).toEqual([fault]);
  });

  it('reports missing tables and indexes too', () => {
    const db = new DatabaseSync(':memory:');
    ensureSchema(db);
    db.exec('DROP TABLE kinds');
    expect(schemaFaults(db)).toEqual(['the table kinds is missing', 'the index sqlite_autoindex_kinds_1 is missing']);
    db.close();
  });
});
