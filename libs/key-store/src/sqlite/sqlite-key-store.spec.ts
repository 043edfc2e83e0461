import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, jest } from '@jest/globals';
import { newId, StoreUnavailable } from '#kernel';
import { personalKeyStoreContract } from '../contract/index.js';
import { openSqliteKeyStore, openSqliteKeyStoreForReading } from './sqlite-key-store.js';

const temporary = () => mkdtemp(join(tmpdir(), 'personal-keys-'));

personalKeyStoreContract('sqlite', async () => {
  const directory = await temporary();
  return {
    open: async () => openSqliteKeyStore(join(directory, 'keys.db')),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
});

it('leaves nothing of a destroyed key in any of its files, whether or not it was in the write-ahead log', async () => {
  const directory = await temporary();
  const holds = async (text: string) => {
    const files = await Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name))));
    return files.some((bytes) => bytes.includes(text));
  };
  const [mia, ivy] = [newId('creator'), newId('creator')];
  // Each part of it would be found: SQLite may use some bytes of a row again that it does not overwrite.
  const keyOf = (name: string) => Buffer.from(`the-key-of-${name}`.repeat(5));
  const first = openSqliteKeyStore(join(directory, 'keys.db'));
  await first.add(new Map([[mia, keyOf('mia')]]));
  await first.close();
  const store = openSqliteKeyStore(join(directory, 'keys.db'));
  await store.add(new Map([[ivy, keyOf('ivy')]]));
  expect([await holds('the-key-of-mia'), await holds('the-key-of-ivy')]).toEqual([true, true]);
  await store.destroy(mia, 1);
  expect([await holds('the-key-of-mia'), await holds('the-key-of-ivy')]).toEqual([false, true]);
  await store.destroy(ivy, 1);
  expect(await holds('the-key-of-ivy')).toBe(false);
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

const lastSealOf = async (file: string) => {
  const store = openSqliteKeyStoreForReading(file, false);
  const seal = await store.lastSeal();
  await store.close();
  return seal;
};

it('shows the last seal of a file without changing it, also of a file from before seals were remembered (D91)', async () => {
  const directory = await temporary();
  const file = join(directory, 'keys.db');
  const store = openSqliteKeyStore(file);
  expect(await lastSealOf(file)).toBeUndefined();
  const seal = { id: 'e', count: 1, root: 'r', signature: 's' };
  await store.rememberSeal(seal, undefined);
  expect(await lastSealOf(file)).toEqual(seal);
  await store.close();
  expect(await lastSealOf(file)).toEqual(seal);
  const older = new DatabaseSync(file);
  older.exec('DROP TABLE last_seal');
  older.close();
  expect(await lastSealOf(file)).toBeUndefined();
  await rm(directory, { recursive: true });
});

it('is unavailable where its file cannot be opened', () => {
  expect(() => openSqliteKeyStore('/nowhere/at/all/keys.db')).toThrow(StoreUnavailable);
});

it('names its file and the cause of a failure, such as garbage', async () => {
  const file = join(await temporary(), 'keys.db');
  await writeFile(file, 'no database '.repeat(1_000));
  expect(() => openSqliteKeyStore(file)).toThrow(`${file}: file is not a database`);
});

it('names its file and the cause when the disk is full', async () => {
  const file = join(await temporary(), 'keys.db');
  await openSqliteKeyStore(file).close();
  // No more pages than the file has: what SQLite says is the same as on a full disk.
  const prepare = DatabaseSync.prototype.exec;
  const limited = jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    prepare.call(this, sql);
    prepare.call(this, 'PRAGMA max_page_count = 1');
  });
  const store = openSqliteKeyStore(file);
  const keys = new Map(Array.from({ length: 100 }, () => [newId('creator'), Buffer.alloc(100)]));
  await expect(store.add(keys)).rejects.toThrow(`${file}: database or disk is full`);
  limited.mockRestore();
  await store.close();
});
