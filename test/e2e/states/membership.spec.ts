import { expect, test } from '@jest/globals';
import { type CreatorId, HOUR, MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { type Holdings, holdingsOf } from '../support/holdings.js';
import { ask, operationsOf, subjectIdOf } from '../support/operations.js';
import { startService } from '../support/start-service.js';

const EVERY = 5 * MINUTE;
const service = await startService();
const { platform } = service;
const operations = await operationsOf(service.url);

const leave = (agency: Agency, userId: string) => agency.changeUser(userId, { agency_id: null });
const comeBack = (agency: Agency, userId: string) => agency.changeUser(userId, { agency_id: agency.id });
const status = async (agency: Agency, id: string) => (await agency.api.get(`/v1/creators/${id}`)).status;
const protectionEvents = async (agency: Agency) =>
  (await agency.publishedEvents())
    .filter(({ type }) => type.startsWith('protection.'))
    .map(({ type, data }) => [type, data.reason]);

/** The platform wrongly answers 404 for the creator, once. */
const wrong404 = (userId: string, operation = 'getNativeCreator') =>
  platform.fault({ operation, match: { user_id: userId }, kind: 'refuse', status: 404, code: 'not_found', times: 1 });

/** What every route says of a creator, and of what hangs on it. */
const said = async ({ api }: Agency, holdings: Holdings) => {
  const cursors = {
    'GET /v1/creators/{id}/cases': holdings.caseId,
    'GET /v1/creators/{id}/report': holdings.caseId,
    'GET /v1/creators/{id}/impersonations': holdings.impersonationId,
    'GET /v1/creators/{id}/activity': holdings.activityCursor,
  };
  const outcomes: [string, string][] = [];
  for (const operation of operations) {
    const { name, idPrefix } = operation;
    if (idPrefix === undefined || idPrefix === 'wsp') continue;
    const id = idPrefix === 'crt' ? holdings.creatorId : subjectIdOf(operation, holdings);
    outcomes.push([name, (await ask(api, operation, holdings, { id })).outcome]);
    const cursor = Object.entries(cursors).find(([paged]) => paged === name)?.[1];
    if (operation.isPaged && cursor === undefined) throw new Error(`no cursor of ${name} is known`);
    if (cursor === undefined) continue;
    const query = `?after=${encodeURIComponent(cursor)}`;
    outcomes.push([`${name} after`, (await ask(api, operation, holdings, { id, query })).outcome]);
  }
  outcomes.push(['PUT paused', (await api.protect(holdings.creatorId, 'paused')).outcome]);
  outcomes.push(['the scan again', (await api.queueScan(holdings.creatorId, 'first scan')).outcome]);
  outcomes.push([
    'the deindex request again',
    (await api.requestDeindex(holdings.deindexedCaseId, 'holdings')).outcome,
  ]);
  outcomes.push(['the enrollment again', (await api.enroll(holdings.enrollment)).outcome]);
  return outcomes;
};

test('a creator that leaves is 404 everywhere immediately, and within two synchronizations paused, unmetered and out of the feed (D9, D43)', async () => {
  const agency = await service.agency();
  const holdings = await holdingsOf(service, agency);
  const { creatorId, creatorUserId } = holdings;
  const notFound = (outcomes: [string, string][]) => outcomes.map(([name]) => [name, '404 not_found']);
  await service.pass(MINUTE);
  await leave(agency, creatorUserId);

  const atOnce = await said(agency, holdings);
  expect(atOnce).toEqual(notFound(atOnce));
  expect(atOnce.length).toBeGreaterThan(20);
  expect((await agency.api.roster()).map(({ id }) => id)).not.toContain(creatorId);
  expect((await agency.publishedEvents()).filter(({ data }) => data.creator_id === creatorId)).toEqual([]);

  await service.pass(EVERY);
  await service.pass(EVERY);
  const ended = (await service.services.creators.recorded(creatorId as CreatorId)).state;
  expect(ended).toMatchObject({ membership: { status: 'ended' }, protection: { status: 'paused' } });
  const afterwards = await said(agency, holdings);
  expect(afterwards).toEqual(notFound(afterwards));
  const { creator_seconds } = await agency.api.got<{ creator_seconds: number }>('/v1/usage');
  await service.pass(HOUR);
  expect(await agency.api.got('/v1/usage')).toMatchObject({ creator_seconds });
});

test('the repeat of an invitation shows nothing of a creator that has left since (D9)', async () => {
  const agency = await service.agency();
  const body = agency.inviteBody();
  const { id } = bodyOf<{ id: string }>(await agency.api.enroll(body));
  await service.platform.control('POST', `/invitations/${id}/onboard`, { eligible: true });
  const { svc_user_id } = await agency.api.creator(id);
  expect((await agency.api.enroll(body)).outcome).toBe('200');
  await leave(agency, String(svc_user_id));
  expect((await agency.api.enroll(body)).outcome).toBe('404 not_found');
  for (let sync = 0; sync < 3; sync++) await service.pass(EVERY);
  expect((await agency.api.enroll(body)).outcome).toBe('404 not_found');
});

test('a creator that the platform cannot show does not keep the worker from noticing that another has left (D43)', async () => {
  const agency = await service.agency();
  const stuck = await agency.active();
  const gone = await agency.active();
  await leave(agency, stuck.userId);
  await leave(agency, gone.userId);
  const fault = { operation: 'getNativeCreator', match: { user_id: stuck.userId }, kind: 'status', status: 500 };
  await platform.fault({ ...fault, times: 1_000 });
  for (let sync = 0; sync < 4; sync++) await service.pass(EVERY);
  const { state } = await service.services.creators.recorded(gone.id as CreatorId);
  expect(state).toMatchObject({ membership: { status: 'ended' }, protection: { status: 'paused' } });
});

test.each(['getNativeCreator', 'listLeaks'])(
  'a single wrong 404 of %s hides the creator and ends nothing (D43)',
  async (operation) => {
    const agency = await service.agency();
    const { id, userId } = await agency.active();
    await wrong404(userId, operation);
    const path = operation === 'listLeaks' ? `/v1/creators/${id}/cases` : `/v1/creators/${id}`;
    expect((await agency.api.get(path)).outcome).toBe('404 not_found');
    expect((await agency.api.get(path)).outcome).toBe('200');
    await service.pass(EVERY);
    expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
    expect(await protectionEvents(agency)).toEqual([['protection.activated', 'api_request']]);
  },
);

test('only a synchronization ends the membership, after any number of reads that find nothing (D43)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await leave(agency, userId);
  for (let read = 0; read < 5; read++) expect(await status(agency, id)).toBe(404);
  await comeBack(agency, userId);
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
});

test('two synchronizations that find nothing end the membership: it is paused, with the reason, and stays paused on return (D43)', async () => {
  const agency = await service.agency();
  const { id, userId, external_id } = await agency.active();
  await leave(agency, userId);
  await service.pass(EVERY);
  await service.pass(EVERY);
  await comeBack(agency, userId);
  expect(await agency.api.creator(id)).toMatchObject({ id, external_id, protection_status: 'paused', eligible: true });
  expect(await protectionEvents(agency)).toEqual([
    ['protection.activated', 'api_request'],
    ['protection.paused', 'membership_ended'],
  ]);
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
});

test.each([
  ['found after one look', 1, 'active'],
  ['back after its membership had ended', 2, 'paused'],
])('a creator that is %s is published once more, with its present state (D77)', async (_how, looks, protection) => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await leave(agency, userId);
  for (let look = 0; look < looks; look++) await service.pass(EVERY);
  await comeBack(agency, userId);
  await agency.api.creator(id);
  const state = await agency.publishedEvents();
  expect(state.at(-1)).toMatchObject({
    type: 'creator.updated',
    data: { creator: { id, protection_status: protection } },
  });
  await agency.api.creator(id);
  expect(await agency.publishedEvents()).toEqual(state);
});

test('one synchronization alone does not end the membership (D43)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await leave(agency, userId);
  await service.pass(EVERY);
  await comeBack(agency, userId);
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
});

test('a creator that returns by the roster keeps id and external id (D43)', async () => {
  const agency = await service.agency();
  const { id, userId, external_id } = await agency.linked();
  await leave(agency, userId);
  await service.pass(EVERY);
  await service.pass(EVERY);
  expect(await agency.api.roster()).toEqual([]);
  await comeBack(agency, userId);
  expect(await agency.api.roster()).toMatchObject([{ id, external_id, protection_status: 'not_activated' }]);
});

test('a creator that left is not scanned any more, with any schedule', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await leave(agency, userId);
  await service.pass(EVERY);
  await service.pass(EVERY);
  await service.pass(25 * 60 * MINUTE);
  expect(await platform.jobsOf(userId)).toEqual([]);
  expect(await status(agency, id)).toBe(404);
});

test('a running scan of a creator that left ends (D48)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  const scan = await agency.scan(id);
  await service.quiet();
  await leave(agency, userId);
  await service.pass(EVERY);
  await service.pass(EVERY);
  await service.pass(EVERY);
  await comeBack(agency, userId);
  await agency.api.creator(id);
  expect(await agency.api.scan(scan.id)).toMatchObject({ status: 'completed' });
});

test("a creator transferred to another agency is that agency's, under another id", async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  const { id, userId } = await agency.active();
  await agency.changeUser(userId, { agency_id: other.id });
  expect(await status(agency, id)).toBe(404);
  const [taken] = await other.api.roster();
  expect(taken).toMatchObject({ svc_user_id: userId, protection_status: 'not_activated' });
  expect(taken?.id).not.toBe(id);
  expect((await other.api.protect(taken?.id ?? '', 'active')).outcome).toBe('200');
});

test('the 404 to the slot of a pause hides the creator, its events too (D42, D43)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await leave(agency, userId);
  expect((await agency.api.protect(id, 'paused')).outcome).toBe('200');
  expect((await agency.api.protect(id, 'paused')).outcome).toBe('404 not_found');
  expect(await agency.publishedEvents()).toEqual([]);
});

test('a platform that fails is no 404: nobody is hidden (D36, D43)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await platform.fault({ operation: '*', kind: 'status', status: 500, match: { agency_id: agency.id } });
  await service.pass(EVERY);
  await service.pass(EVERY);
  await platform.heal();
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
});

test('a 404 without the contract’s envelope is an invalid answer, and hides nobody', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  const fault = {
    operation: 'getNativeCreator',
    match: { user_id: userId },
    kind: 'refuse',
    status: 404,
    code: 'no_route',
  };
  await platform.fault(fault);
  expect((await agency.api.get(`/v1/creators/${id}`)).outcome).toBe('502 provider_invalid_response');
  await platform.heal();
  expect((await agency.publishedEvents()).length).toBe(2);
});

test('a creator that becomes staff is hidden', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.changeUser(userId, { is_staff: true });
  expect(await status(agency, id)).toBe(404);
  expect(await agency.api.roster()).toEqual([]);
});
