import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { NOT_ENCRYPTED } from '#configuration';
import { StoreUnavailable } from '#kernel';
import { event } from '../../event-log/src/contract/given-events.js';
import { logOnDouble } from '../../event-log/src/eventstoredb/testing/log-on-double.js';
import { openStorageLocation } from './storage-locations.js';
import { openStoredLog, openStores } from './stores.js';

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
