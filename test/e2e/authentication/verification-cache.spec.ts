import { expect, test } from '@jest/globals';
import { SECOND } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const CACHED = 5 * SECOND;
const service = await startService({ env: { VERIFICATION_CACHE: '5s' } });

const verifications = async ({ id }: Agency) =>
  (await service.platform.calls('getAgency')).filter(({ path }) => path === `/agencies/${id}`).length;

/** An agency whose last verification is forgotten. */
const freshAgency = async () => {
  const agency = await service.agency();
  await service.pass(CACHED);
  return agency;
};

test('a positive verification serves for five seconds and no longer (D20)', async () => {
  const agency = await freshAgency();
  const before = await verifications(agency);
  for (const wait of [0, 2 * SECOND, CACHED - 2 * SECOND - 1]) {
    service.clock.advance(wait);
    expect((await agency.api.get('/v1/me')).outcome).toBe('200');
  }
  expect(await verifications(agency)).toBe(before + 1);
  service.clock.advance(1);
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
  expect(await verifications(agency)).toBe(before + 2);
});

test('a denial of the agency takes effect after five seconds at most (D20)', async () => {
  const agency = await freshAgency();
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
  await agency.change({ kyc_status: 'rejected' });
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
  service.clock.advance(CACHED);
  expect((await agency.api.get('/v1/me')).outcome).toBe('403 agency_kyc_required');
});

test('a negative verification is never cached (D20)', async () => {
  const agency = await freshAgency();
  await agency.change({ kyc_status: 'rejected' });
  expect((await agency.api.get('/v1/me')).outcome).toBe('403 agency_kyc_required');
  await agency.change({ kyc_status: 'approved' });
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
});

test('a failed verification is never cached (D20)', async () => {
  const agency = await freshAgency();
  await service.platform.fault({ operation: 'getAgency', kind: 'wrong_shape' });
  expect((await agency.api.get('/v1/me')).outcome).toBe('503 agency_verification_unavailable');
  await service.platform.heal();
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
});

test('binding again asks the platform, and the old key ends with it (D19, D20)', async () => {
  const agency = await freshAgency();
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
  await agency.change({ owner_user_id: crypto.randomUUID() });
  expect((await agency.bind()).epoch).toBe(2);
  expect((await agency.api.get('/v1/me')).outcome).toBe('403 agency_key_reissue_required');
});
