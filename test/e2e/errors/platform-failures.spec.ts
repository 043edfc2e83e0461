import { expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import { GIVEN_UP_AFTER } from '../support/service.js';
import { startService } from '../support/start-service.js';

const service = await startService({
  platformHangs: true,
  env: { VERIFICATION_CACHE: '5s' },
  platformOnDisk: true,
});
const { platform } = service;
const agency = await service.agency({ slots: 50 });
const { api } = agency;
const creator = await agency.active();

interface Case {
  readonly name: string;
  /** What is asked of the platform after the agency has been verified. */
  readonly operation: string;
  readonly ask: () => Promise<{ readonly outcome: string }>;
}

/** Each endpoint that asks the platform while it answers, except those that record an unknown outcome instead. */
const ENDPOINTS: readonly Case[] = [
  { name: 'GET /v1/creators', operation: 'listRoster', ask: () => api.get('/v1/creators') },
  { name: 'GET /v1/creators/{id}', operation: 'getNativeCreator', ask: () => api.get(`/v1/creators/${creator.id}`) },
  { name: 'GET …/cases', operation: 'listLeaks', ask: () => api.get(`/v1/creators/${creator.id}/cases`) },
  { name: 'POST …/scans', operation: 'getNativeCreator', ask: () => api.queueScan(creator.id, crypto.randomUUID()) },
  {
    name: 'PATCH /v1/creators/{id}',
    operation: 'updateIdentity',
    // One that the platform holds is not written again (D33).
    ask: () => api.patch(creator.id, { aliases: [crypto.randomUUID()] }),
  },
  { name: 'POST /v1/creators (invite)', operation: 'getCapacity', ask: () => api.enroll(agency.inviteBody()) },
  {
    name: 'POST /v1/creators (link)',
    operation: 'getNativeCreator',
    ask: () => api.enroll(agency.linkBody(creator.userId)),
  },
];

const FAILURES = [
  ['fails', { kind: 'status', status: 500 }, '503 provider_unavailable'],
  ['is overloaded', { kind: 'status', status: 429 }, '503 provider_unavailable'],
  ['breaks the connection', { kind: 'close_before' }, '503 provider_unavailable'],
  ['refuses our token', { kind: 'status', status: 401 }, '502 provider_invalid_response'],
  ['answers half a document', { kind: 'broken_json' }, '502 provider_invalid_response'],
  ['answers something else', { kind: 'wrong_shape' }, '502 provider_invalid_response'],
  ['does not answer in time', { kind: 'hang' }, '504 provider_timeout'],
  ['answers too late', { kind: 'delay', delay_ms: 3 * GIVEN_UP_AFTER }, '504 provider_timeout'],
] as const;

const cases = ENDPOINTS.flatMap((endpoint) =>
  FAILURES.map((failure) => [endpoint.name, ...failure, endpoint] as const),
);

test.each(cases)(
  '%s: a platform that %s is the documented error (D2, D36)',
  async (_, __, fault, outcome, endpoint) => {
    // Verified just before, so that the failure is that of the operation (D20).
    expect((await api.get('/v1/me')).outcome).toBe('200');
    await platform.fault({ operation: endpoint.operation, match: { agency_id: agency.id }, ...fault });
    expect((await endpoint.ask()).outcome).toBe(outcome);
  },
);

test('a request that failed leaves nothing behind: the next request of each kind is answered', async () => {
  for (const { name, ask } of ENDPOINTS) {
    const { outcome } = await ask();
    expect(`${name} ${outcome}`).toMatch(/ 20[012]$/);
  }
});

test('a read that fails once for a moment is repeated, and answered (retry rule 1)', async () => {
  await platform.fault({ operation: 'getNativeCreator', kind: 'close_before', times: 1 });
  expect((await api.get(`/v1/creators/${creator.id}`)).outcome).toBe('200');
});

test('a change that fails for a moment is not sent a second time within the request', async () => {
  const { id } = await agency.linked();
  await platform.control('DELETE', '/calls');
  await platform.fault({ operation: 'occupySlot', kind: 'status', status: 503 });
  expect((await api.protect(id, 'active')).outcome).toBe('503 provider_unavailable');
  expect(await platform.calls('occupySlot')).toHaveLength(1);
});

test('while the platform is down, requests that need it are 503, all others are answered, and no process ends', async () => {
  const scan = await agency.scan((await agency.active()).id);
  expect((await api.get('/v1/me')).outcome).toBe('200');
  await platform.stop();
  expect((await api.get('/v1/me')).outcome).toBe('200');
  expect((await api.get('/v1/events')).outcome).toBe('200');
  expect((await api.get('/v1/creators')).outcome).toBe('503 provider_unavailable');
  expect((await api.get(`/v1/scans/${scan.id}`)).outcome).toBe('200');
  await service.pass(5 * SECOND);
  expect((await api.get('/v1/me')).outcome).toBe('503 agency_verification_unavailable');
  expect((await api.get('/v1/events')).outcome).toBe('503 agency_verification_unavailable');
  for (let minutes = 0; minutes < 20; minutes += 5) await service.pass(5 * MINUTE);
  await platform.comeBack();
  expect((await api.get('/v1/me')).outcome).toBe('200');
  await agency.scanThatIs('completed', scan.id);
  expect(await platform.jobsFor(scan.id)).toBe(1);
});

test('after an hour of invalid answers of the platform all work continues, and nothing has happened twice', async () => {
  const active = await agency.active();
  const invited = await agency.invited();
  const scan = await agency.scan(active.id);
  await platform.fault({ operation: '*', kind: 'wrong_shape', match: { agency_id: agency.id } });
  await platform.fault({ operation: 'dispatchScan', kind: 'broken_json' });
  for (let minutes = 0; minutes < 60; minutes += 5) await service.pass(5 * MINUTE);
  await platform.heal();
  await agency.scanThatIs('completed', scan.id);
  const effects = await platform.effects();
  expect([effects.scan_jobs[scan.id], effects.mails[invited.id], effects.slots[active.userId]]).toEqual([1, 1, 1]);
  expect(await api.creator(active.id)).toMatchObject({ protection_status: 'active' });
});
