import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { newId, StoreUnavailable } from '#kernel';
import { personalKeyStoreContract } from '../contract/index.js';
import { openSqliteKeyStore } from './sqlite-key-store.js';

const temporary = () => mkdtemp(join(tmpdir(), 'personal-keys-'));

personalKeyStoreContract('sqlite', async () => {
  const directory = await temporary();
  return {
    open: async () => openSqliteKeyStore({ file: join(directory, 'keys.db') }),
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
  const first = openSqliteKeyStore({ file: join(directory, 'keys.db') });
  await first.add(new Map([[mia, keyOf('mia')]]));
  await first.close();
  const store = openSqliteKeyStore({ file: join(directory, 'keys.db') });
  await store.add(new Map([[ivy, keyOf('ivy')]]));
  expect([await holds('the-key-of-mia'), await holds('the-key-of-ivy')]).toEqual([true, true]);
  await store.destroy(mia, 1);
  expect([await holds('the-key-of-mia'), await holds('the-key-of-ivy')]).toEqual([false, true]);
  await store.destroy(ivy, 1);
  expect(await holds('the-key-of-ivy')).toBe(false);
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

it('is unavailable where its file cannot be opened', () => {
  expect(() => openSqliteKeyStore({ file: '/nowhere/at/all/keys.db' })).toThrow(StoreUnavailable);
});
