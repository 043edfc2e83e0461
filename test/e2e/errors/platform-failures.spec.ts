import { expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import { findingIn, requestDeindex } from '../support/findings.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true, env: { VERIFICATION_CACHE: '5s' }, platformOnDisk: true });
const { platform } = service;
const finding = await findingIn(service);
const { agency, creator } = finding;
const { api } = agency;
const request = await requestDeindex(finding);
const invitee = await agency.invited();
await service.quiet();

interface Case {
  readonly name: string;
  /** The operation that the service calls after it has verified the agency. */
  readonly operation: string;
  readonly ask: () => Promise<{ readonly outcome: string }>;
}

/** Each endpoint that asks the platform while it answers, except those that record an unknown outcome instead. */
const ENDPOINTS: readonly Case[] = [
  { name: 'GET /v1/creators', operation: 'listRoster', ask: () => api.get('/v1/creators') },
  { name: 'GET /v1/creators/{id}', operation: 'getNativeCreator', ask: () => api.get(`/v1/creators/${creator.id}`) },
  { name: 'GET an invitee', operation: 'getInvitation', ask: () => api.get(`/v1/creators/${invitee.id}`) },
  { name: 'GET /v1/capacity', operation: 'getCapacity', ask: () => api.get('/v1/capacity') },
  { name: 'GET …/cases', operation: 'listLeaks', ask: () => api.get(`/v1/creators/${creator.id}/cases`) },
  { name: 'GET …/report', operation: 'listLeaks', ask: () => api.get(`/v1/creators/${creator.id}/report`) },
  { name: 'GET …/activity', operation: 'listActivity', ask: () => api.get(`/v1/creators/${creator.id}/activity`) },
  {
    name: 'GET …/impersonations',
    operation: 'listImpersonations',
    ask: () => api.get(`/v1/creators/${creator.id}/impersonations`),
  },
  {
    name: 'GET /v1/deindex-requests/{id}',
    operation: 'findDeindexSubmission',
    ask: () => api.get(`/v1/deindex-requests/${request.id}`),
  },
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

/** The client's spec has every failure; here each endpoint passes each outcome of the client on. */
const FAILURES = [
  [{ kind: 'close_before' }, '503 provider_unavailable'],
  [{ kind: 'wrong_shape' }, '502 provider_invalid_response'],
  [{ kind: 'hang' }, '504 provider_timeout'],
] as const;

test.each(ENDPOINTS)(
  '$name: the failure of the platform is the documented error, and nothing is served in its place (D2, D36)',
  async ({ operation, ask }) => {
    for (const [fault, outcome] of FAILURES) {
      // Verified just before, so that the failure is that of the operation (D20).
      expect((await api.get('/v1/me')).outcome).toBe('200');
      await platform.fault({ operation, ...fault });
      expect([fault, (await ask()).outcome]).toEqual([fault, outcome]);
      await platform.heal();
    }
  },
);

test('a request that failed leaves nothing behind: the next request of each kind is answered', async () => {
  for (const { name, ask } of ENDPOINTS) {
    const { outcome } = await ask();
    expect(`${name} ${outcome}`).toMatch(/ 20[012]$/);
  }
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
