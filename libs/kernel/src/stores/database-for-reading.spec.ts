import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDatabaseForReading } from './database-for-reading.js';
import { StoreUnavailable } from './event-log.js';

describe('a database that is only read', () => {
  let folder: string;
  let source: DatabaseSync;
  let copy: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'for-reading-'));
    const file = join(folder, 'source.db');
    source = new DatabaseSync(file);
    source.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (name TEXT); PRAGMA wal_checkpoint(TRUNCATE)');
    source.exec("INSERT INTO things VALUES ('late')");
    copy = join(folder, 'copy.db');
    copyFileSync(file, copy);
    copyFileSync(`${file}-wal`, `${copy}-wal`);
  });
  afterEach(() => {
    source.close();
    rmSync(folder, { recursive: true });
  });

  /** Like on a read-only medium: the file that SQLite adds for its write-ahead log cannot be created. */
  const onReadOnlyMedium = () => symlinkSync('/nowhere/at/all', `${copy}-shm`);
  const names = () => {
    const db = openDatabaseForReading(copy, 'SELECT 1 FROM things');
    const found = db.prepare('SELECT name FROM things').all();
    db.close();
    return found.map(({ name }) => name);
  };

  it('is read with its write-ahead log', () => {
    expect(names()).toEqual(['late']);
  });

  it('is refused on a read-only medium if its write-ahead log holds something, which would be missing', () => {
    onReadOnlyMedium();
    expect(names).toThrow(StoreUnavailable);
    expect(names).toThrow(/copy\.db-wal may hold what .*copy\.db lacks, .*: copy both files into another folder/);
  });

  it('is read on a read-only medium without a write-ahead log, or with an empty one', () => {
    onReadOnlyMedium();
    rmSync(`${copy}-wal`);
    expect(names()).toEqual([]);
    writeFileSync(`${copy}-wal`, '');
    expect(names()).toEqual([]);
  });

  it('names the cause of any other failure', () => {
    writeFileSync(copy, 'this is no database at all, although it is long enough to be one'.repeat(10));
    expect(names).toThrow('file is not a database');
    rmSync(copy);
    expect(names).toThrow('unable to open database file');
  });
});
