import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from '@jest/globals';
import { StoreUnavailable } from '#kernel';
import { openSqliteDocumentStore } from './open.js';
import { asStoreError } from './sqlite-error.js';
import { temporaryFiles } from './testing/temporary-files.js';

const newFile = temporaryFiles();
const THINGS = { name: 'things', indexes: [] };
const things = (from: number, count: number, text: string) => [
  { collection: 'things', put: Array.from({ length: count }, (_, n) => ({ id: `${from + n}`, text })) },
];

const failureOf = async (use: () => unknown): Promise<string> => {
  try {
    await use();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreUnavailable);
    return String((error as Error).message);
  }
  return 'no failure';
};

const writtenFile = async (): Promise<string> => {
  const file = newFile();
  const store = openSqliteDocumentStore({ file });
  await store.ensure([THINGS]);
  await store.write(things(0, 300, 'x'.repeat(1_000)));
  await store.close();
  return file;
};

it('a file of garbage is refused with its name, the cause and how to make it again', async () => {
  const file = newFile();
  writeFileSync(file, 'no database '.repeat(1_000));
  const message = await failureOf(() => openSqliteDocumentStore({ file }));
  expect(message).toContain(`${file}: file is not a database. It can be made again from the log`);
  expect(message).toMatch(/stop all processes, move .*-wal and .*-shm out of the folder, and start/);
});

it('a truncated file is reported as what it is, by reads and by writes', async () => {
  const file = await writtenFile();
  truncateSync(file, 3 * 8_192);
  const read = await failureOf(async () => {
    const store = openSqliteDocumentStore({ file });
    try {
      await store.count('things');
    } finally {
      await store.close();
    }
  });
  const written = await failureOf(async () => {
    const store = openSqliteDocumentStore({ file });
    try {
      await store.write(things(300, 300, 'y'));
    } finally {
      await store.close();
    }
  });
  for (const message of [read, written])
    expect(message).toMatch(/documents-\d+\.db: .*malformed\. It can be made again/);
});

it.each([
  ['of another program', 'CREATE TABLE cats (name TEXT)'],
  ['that is an event log', 'CREATE TABLE events (position INTEGER PRIMARY KEY, body TEXT)'],
])('a database %s is left as it is', async (_, schema) => {
  const file = newFile();
  const foreign = new DatabaseSync(file);
  foreign.exec(schema);
  const message = await failureOf(() => openSqliteDocumentStore({ file }));
  expect(message).toContain(`${file}: is the database of another program. It can be made again`);
  expect(foreign.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()).toMatchObject({ tables: 1 });
  foreign.close();
});

it.each([
  [5, 'database is locked', 'Another program has locked the file'],
  [13, 'database or disk is full', 'Free some space'],
])('SQLite error %i is named with what to do', (errcode, cause, hint) => {
  const error = Object.assign(new Error(cause), { code: 'ERR_SQLITE_ERROR', errcode });
  expect(asStoreError(error, '/data/documents.db')).toMatchObject({
    message: expect.stringMatching(`^/data/documents.db: ${cause}. ${hint}`),
    cause: error,
  });
});

it('the file of counters is named where it is the damaged one', async () => {
  const file = await writtenFile();
  writeFileSync(`${file}-counters`, 'no database '.repeat(1_000));
  const store = openSqliteDocumentStore({ file });
  expect(await failureOf(() => store.increment('requests', 1, 1_000))).toContain(
    `${file}-counters: file is not a database`,
  );
  await store.close();
});

it('the write-ahead log shrinks after it had to grow', async () => {
  const file = await writtenFile();
  const store = openSqliteDocumentStore({ file });
  const megabytes = () => statSync(`${file}-wal`).size / 1024 / 1024;
  await store.count('things');
  const another = new DatabaseSync(file);
  another.exec('PRAGMA wal_autocheckpoint = 0');
  another.exec('CREATE TABLE large (bytes BLOB); INSERT INTO large VALUES (zeroblob(70000000)); DROP TABLE large');
  another.close();
  expect(megabytes()).toBeGreaterThan(65);
  for (const part of ['first', 'second']) await store.write(things(0, 1, part));
  expect(megabytes()).toBeLessThanOrEqual(64);
  await store.close();
});
