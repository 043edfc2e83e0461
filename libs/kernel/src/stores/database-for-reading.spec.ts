import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openCopyForReading, openDatabaseForReading } from './database-for-reading.js';

const PROBE = 'SELECT 1 FROM things';

let source: DatabaseSync;
let sourceFolder: string;
let folder: string;
let copy: string;

beforeEach(() => {
  sourceFolder = mkdtempSync(join(tmpdir(), 'source-'));
  folder = mkdtempSync(join(tmpdir(), 'copies-'));
  const file = join(sourceFolder, 'source.db');
  source = new DatabaseSync(file);
  source.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (name TEXT); PRAGMA wal_checkpoint(TRUNCATE)');
  source.exec("INSERT INTO things VALUES ('late')");
  copy = join(folder, 'copy.db');
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, `${copy}-wal`);
});
afterEach(() => {
  source.close();
  for (const used of [sourceFolder, folder]) rmSync(used, { recursive: true });
});

const namesIn = (db: DatabaseSync) => {
  const found = db.prepare('SELECT name FROM things').all();
  db.close();
  return found.map(({ name }) => name);
};

describe('a database that is only read', () => {
  /** As on a read-only medium: the file that SQLite adds for its write-ahead log cannot be created. */
  const onReadOnlyMedium = () => symlinkSync('/nowhere/at/all', `${copy}-shm`);
  const names = () => namesIn(openDatabaseForReading(copy, PROBE));

  it('is read with its write-ahead log, on a read-only medium too', () => {
    expect(names()).toEqual(['late']);
    rmSync(`${copy}-shm`, { force: true });
    onReadOnlyMedium();
    expect(names()).toEqual(['late']);
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

describe('D107: a copy that is read', () => {
  const names = () => namesIn(openCopyForReading(copy, PROBE));
  const state = () =>
    readdirSync(folder).map((name) => {
      const { mode, mtimeMs } = statSync(join(folder, name));
      return { name, mode, mtimeMs, bytes: readFileSync(join(folder, name), 'hex') };
    });

  it.each([
    ['with a write-ahead log', () => undefined, ['late']],
    ['with an empty one', () => truncateSync(`${copy}-wal`), []],
    ['without one', () => rmSync(`${copy}-wal`), []],
    ['with the files of an open database', () => copyFileSync(`${source.location()}-shm`, `${copy}-shm`), ['late']],
  ])('%s keeps its bytes, modes and neighbors', (_with, prepare, expected) => {
    prepare();
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
    const before = state();
    expect(names()).toEqual(expected);
    expect(state()).toEqual(before);
  });

  it('leaves nothing in the temporary folder', () => {
    const found = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`for-reading-${process.pid}-`));
    const db = openCopyForReading(copy, PROBE);
    expect(found()).toEqual([]);
    expect(namesIn(db)).toEqual(['late']);
  });

  it('names the cause of a failure', () => {
    writeFileSync(copy, 'this is no database at all, although it is long enough to be one'.repeat(10));
    expect(names).toThrow('file is not a database');
  });
});
