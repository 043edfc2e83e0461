import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { NOT_ENCRYPTED } from '#configuration';
import { openSqliteEventLog } from '#event-log';
import { StoreUnavailable } from '#kernel';
import { event } from '../../event-log/src/contract/given-events.js';
import { logOnDouble } from '../../event-log/src/eventstoredb/testing/log-on-double.js';
import { dataFolder } from './data-folder.js';
import { isSameLog, openStorageLocation } from './storage-locations.js';
import { openStoredLog, openStores, rememberedSeal } from './stores.js';

const folder = mkdtempSync(join(tmpdir(), 'locations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const existing = join(folder, 'events.db');
writeFileSync(existing, '');

const NOWHERE = { dataDir: folder, masterKey: undefined, eventStoreDbUrl: undefined, mongoDbUrl: undefined };
const LOG = 'esdb://log.invalid:2113?tls=false';
const KEYS = 'mongodb://keys.invalid:27017/cpa';

describe('a location that the operators’ tool would reach without encryption is refused', () => {
  it.each([
    ['from', LOG, folder, 'from'],
    ['from', existing, KEYS, 'keys-from'],
    ['to', LOG, folder, 'to'],
    ['to', join(folder, 'new'), KEYS, 'keys-to'],
  ] as const)('as %s: %s with the keys at %s', async (role, location, keys, field) => {
    await expect(openStorageLocation(role, location, keys, false)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ field, message: NOT_ENCRYPTED }],
    });
  });

  it('as the log to verify', async () => {
    await expect(openStoredLog({ ...NOWHERE, allowPlaintext: false }, LOG)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ field: 'log', message: NOT_ENCRYPTED }],
    });
  });
});

describe('a copy of a log onto itself is known', () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  symlinkSync(folder, join(folder, 'link'));
  linkSync(existing, join(folder, 'hard.db'));
  const cluster = 'esdb+discover://admin:secret@Node1:2113,node2:2113?tls=true';

  it.each([
    ['by its folder', existing, folder],
    ['by a relative path', existing, relative(process.cwd(), existing)],
    ['by a symbolic link', folder, join(folder, 'link', 'events.db')],
    ['by another name of the file', existing, join(folder, 'hard.db')],
    ['as another user of the server', 'esdb://a:b@127.0.0.1:2113?tls=false', 'esdb://localhost'],
    ['by another node of its cluster', cluster, 'kurrentdb://node1,node3'],
  ])('%s', (_how, from, to) => expect(isSameLog(from, to)).toBe(true));

  it.each([
    ['a new folder', existing, join(folder, 'new')],
    ['another folder that exists', folder, other],
    ['a server', existing, LOG],
    ['another server', cluster, 'esdb://node3:2113'],
    ['another port', LOG, 'esdb://log.invalid:2114?tls=false'],
  ])('%s is another log', (_what, from, to) => expect(isSameLog(from, to)).toBe(false));
});

it('a copy, a verification and the tool’s own log wait for a server that is away for longer than a request waits', async () => {
  const { double, log, close } = await logOnDouble();
  await log.append('thing-1', 'none', [event()]);
  const copied = await openStorageLocation('to', double.url, folder, false);
  const stored = await openStoredLog({ ...NOWHERE, allowPlaintext: false }, double.url);
  const locations = { ...NOWHERE, dataDir: join(folder, 'tool'), eventStoreDbUrl: double.url };
  const tool = await openStores(locations, { upcasters: [], recordsShapes: new Set() }, { work: 'background' });
  const { reads } = await double.whileAway(async () => {
    const started = Promise.allSettled([copied.log.head(), stored.stream('thing-1', 0, 1), tool.log.head()]);
    await expect(log.head()).rejects.toBeInstanceOf(StoreUnavailable);
    return { reads: started };
  });
  expect((await reads).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  await Promise.all([copied.close(), stored.close(), tool.close()]);
  await close();
});

it('D107: a verification adds no file to the folder of the log that it is given', async () => {
  const copied = join(folder, 'copied');
  mkdirSync(copied);
  const [log, keys] = [openSqliteEventLog({ file: join(copied, 'events.db') }), dataFolder.personalKeys(copied)];
  await log.append('thing-1', 'none', [event()]);
  await keys.rememberSeal({ id: 'e', count: 1, root: 'r', signature: 's' }, undefined);
  await log.close();
  await keys.close();
  const files = readdirSync(copied);
  const stored = await openStoredLog({ ...NOWHERE, allowPlaintext: false }, copied);
  expect(await stored.stream('thing-1', 0, 1)).toHaveLength(1);
  expect(await rememberedSeal(NOWHERE, copied)).toMatchObject({ id: 'e' });
  expect(readdirSync(copied)).toEqual(files);
  await stored.close();
});
