import { execFileSync } from 'node:child_process';
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

  /** Two more commits, of which the write-ahead log has frames. */
  const commitMore = () => {
    for (const name of ['later', 'last']) source.exec(`INSERT INTO things VALUES ('${name}')`);
    copyFileSync(`${source.location()}-wal`, `${copy}-wal`);
  };
  const changed = (change: (bytes: Buffer) => Buffer | undefined) => {
    const bytes = readFileSync(`${copy}-wal`);
    writeFileSync(`${copy}-wal`, change(bytes) ?? bytes);
  };
  const flip = (at: number) => changed((bytes) => void bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at));

  it.each([0, 7, 9, 16, 25])('is refused where byte %i of the header of its write-ahead log is damaged', (at) => {
    flip(at);
    expect(names).toThrow(/copy\.db-wal cannot be read: its header is damaged.*Take another backup/);
  });

  it.each([
    ['cut in its header', (bytes: Buffer) => bytes.subarray(0, 20)],
    ['overwritten', () => Buffer.from('no log '.repeat(1_000))],
  ])('is refused where that is %s', (_, change) => {
    changed(change);
    expect(names).toThrow(/copy\.db-wal cannot be read: its header is damaged/);
  });

  it('is refused where a commit is damaged, or follows a damaged one', () => {
    commitMore();
    flip(32 + 100);
    expect(names).toThrow(/copy\.db-wal cannot be read: it is damaged before byte/);
    expect(namesIn(openCopyForReading(copy, PROBE, 'is left out'))).toEqual([]);
  });

  it('is read up to the torn end of a commit, and next to frames of before the log began again', () => {
    commitMore();
    changed((bytes) => bytes.subarray(0, -100));
    expect(names()).toEqual(['late', 'later']);
    source.exec("PRAGMA wal_checkpoint(RESTART); INSERT INTO things VALUES ('newest')");
    copyFileSync(source.location() ?? '', copy);
    copyFileSync(`${source.location()}-wal`, `${copy}-wal`);
    expect(names()).toEqual(['late', 'later', 'last', 'newest']);
  });

  it.each(['', '-wal'])('is refused where a pipe or a folder is in place of the file with "%s"', (suffix) => {
    for (const program of ['mkfifo', 'mkdir']) {
      rmSync(copy + suffix, { recursive: true });
      execFileSync(program, [copy + suffix]);
      expect(names).toThrow(`${copy}${suffix} is not a file, but a folder, a pipe, a socket or a device`);
    }
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
