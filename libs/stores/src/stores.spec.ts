import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { InvalidConfiguration, readConfig } from '#configuration';
import { openStores } from './stores.js';

const dataDir = mkdtempSync(join(tmpdir(), 'stores-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const MASTER_KEY = Buffer.alloc(32, 0xa7).toString('base64');

describe('a store beyond this machine', () => {
  test.each([
    ['EVENTSTOREDB_URL', 'eventStoreDbUrl', 'esdb://127.0.0.1:2113?tls=false'],
    ['EVENTSTOREDB_URL', 'eventStoreDbUrl', 'esdb+discover://admin:changeit@cluster.example'],
    ['MONGODB_URL', 'mongoDbUrl', 'mongodb://service:secret@one:27017,two:27017/cpa?replicaSet=rs0&tls=true'],
    ['MONGODB_URL', 'mongoDbUrl', 'mongodb+srv://cluster.example/cpa'],
  ] as const)('is where its URL says: %s as %s, %s', (variable, name, url) => {
    expect(readConfig({ [variable]: url, MASTER_KEY })[name]).toBe(url);
    expect(readConfig({})[name]).toBeUndefined();
  });

  test.each([
    ['EVENTSTOREDB_URL', 'esdb://127.0.0.1:2113?tls=false'],
    ['MONGODB_URL', 'mongodb://127.0.0.1:27017'],
  ])('needs the key that all processes share: %s', (variable, url) => {
    const readIt = () => readConfig({ [variable]: url });
    expect(readIt).toThrow(InvalidConfiguration);
    expect(readIt).toThrow(`MASTER_KEY: is required with ${variable}`);
  });

  test.each([
    ['EVENTSTOREDB_URL', /EVENTSTOREDB_URL: must be an esdb:\/\//],
    ['MONGODB_URL', /MONGODB_URL: must be a mongodb:\/\//],
  ])('must have a URL of its kind, which the error does not contain: %s', (variable, problem) => {
    const readIt = () => readConfig({ [variable]: 'http://admin:hunter2@host', MASTER_KEY });
    expect(readIt).toThrow(problem);
    expect(readIt).toThrow(/^(?!.*hunter2)/s);
  });

  test('is not opened by a URL that its client cannot read, and the error does not contain it', async () => {
    const url = 'mongodb://admin:hunter2@host:port:port/';
    const locations = { dataDir, masterKey: undefined, eventStoreDbUrl: undefined, mongoDbUrl: url };
    const open = () => openStores(locations, { upcasters: [], recordsShapes: new Set() });
    await expect(open()).rejects.toThrow('not a connection string of MongoDB');
    await expect(open()).rejects.toThrow(/^(?!.*hunter2)/s);
  });
});

test('D72: stores have the key of the hashes of erased creators that their sentinel holds', async () => {
  const hashKeyIn = async (folder: string) => {
    const stores = await openStores(
      {
        dataDir: join(dataDir, folder),
        masterKey: Buffer.from(MASTER_KEY, 'base64'),
        eventStoreDbUrl: undefined,
        mongoDbUrl: undefined,
      },
      { upcasters: [], recordsShapes: new Set() },
    );
    await stores.close();
    return stores.hashKey.toString('hex');
  };
  const keys = [await hashKeyIn('one'), await hashKeyIn('one'), await hashKeyIn('another')];
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test('D71: the owner alone can read a new data directory and its files', async () => {
  const folder = join(dataDir, 'new');
  const locations = { dataDir: folder, masterKey: undefined, eventStoreDbUrl: undefined, mongoDbUrl: undefined };
  const stores = await openStores(locations, { upcasters: [], recordsShapes: new Set() });
  const modes = ['', ...readdirSync(folder)].map((name) => [name, statSync(join(folder, name)).mode & 0o077]);
  await stores.close();
  expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(['events.db', 'documents.db', 'master.key']));
  expect(modes).toEqual(modes.map(([name]) => [name, 0]));
});
