import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { NOT_ENCRYPTED } from '#configuration';
import { openStorageLocation } from './storage-locations.js';
import { openStoredLog } from './stores.js';

const folder = mkdtempSync(join(tmpdir(), 'locations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const existing = join(folder, 'events.db');
writeFileSync(existing, '');

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
    const nowhere = { dataDir: folder, masterKey: undefined, eventStoreDbUrl: undefined, mongoDbUrl: undefined };
    await expect(openStoredLog({ ...nowhere, allowPlaintext: false }, LOG)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ field: 'log', message: NOT_ENCRYPTED }],
    });
  });
});
