import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MissingKeys, MissingLog, newEventId, newId, streamName, WrongMasterKey } from '#kernel';
import { type Opening, openStores, type Stores } from './stores.js';

let dataDir: string;
const keyFile = () => join(dataDir, 'master.key');

const open = (opening?: Opening, masterKey?: Buffer): Promise<Stores> =>
  openStores(
    { dataDir, masterKey, eventStoreDbUrl: undefined, mongoDbUrl: undefined },
    { upcasters: [], recordsShapes: new Set() },
    opening,
  );

/** A service that has run here, with the data of one creator. */
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'generated-key-'));
  const { log, close } = await open();
  const metadata = { at: 1, correlationId: 'c', causationId: null, actor: 'test', workspaceId: null };
  const data = { personal: { externalId: 'ext' } };
  const enrolled = { id: newEventId(), type: 'creator.imported.v1', data, metadata };
  await log.append(streamName('creator', newId('creator')), 'none', [enrolled]);
  await close();
});
afterEach(() => rmSync(dataDir, { recursive: true }));

it.each(['serve', 'copy'] as const)(
  'D71: a start to %s that a lost master.key refuses leaves no other one',
  async (need) => {
    const kept = join(dataDir, 'kept');
    copyFileSync(keyFile(), kept);
    rmSync(keyFile());
    for (let start = 0; start < 2; start++) await expect(open({ need })).rejects.toThrow(WrongMasterKey);
    expect(existsSync(keyFile())).toBe(false);
    copyFileSync(kept, keyFile());
    await (await open({ need })).close();
  },
);

it('D71: nor does one with a wrong MASTER_KEY, next to a file or without it', async () => {
  const written = readFileSync(keyFile(), 'utf8');
  const other = () => open({}, Buffer.alloc(32, 7));
  await expect(other()).rejects.toThrow(WrongMasterKey);
  expect(readFileSync(keyFile(), 'utf8')).toBe(written);
  rmSync(keyFile());
  await expect(other()).rejects.toThrow(WrongMasterKey);
  expect(existsSync(keyFile())).toBe(false);
});

it('D71: nor one that lacks the keys of personal data too', async () => {
  for (const file of ['master.key', 'personal-keys.db']) rmSync(join(dataDir, file));
  await expect(open()).rejects.toThrow(MissingKeys);
  expect(existsSync(keyFile())).toBe(false);
});

it('D92: nor one that lacks the log, or whose documents are of another log', async () => {
  for (const file of ['master.key', 'events.db']) rmSync(join(dataDir, file));
  await expect(open()).rejects.toThrow(MissingLog);
  rmSync(join(dataDir, 'personal-keys.db'));
  const check = () => Promise.reject(new MissingLog('the documents were built from a log'));
  await expect(open({ check })).rejects.toThrow(MissingLog);
  expect(existsSync(keyFile())).toBe(false);
});
