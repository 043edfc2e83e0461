import { expect, test } from '@jest/globals';
import { type CreatorId, MINUTE } from '#kernel';
import type { Agency } from './support/agency.js';
import { bodyOf } from './support/api-client.js';
import { startService } from './support/start-service.js';

const EVERY = 5 * MINUTE;
const service = await startService();
const { platform } = service;

const leave = (agency: Agency, userId: string) => agency.changeUser(userId, { agency_id: null });
const comeBack = (agency: Agency, userId: string) => agency.changeUser(userId, { agency_id: agency.id });
const status = async (agency: Agency, id: string) => (await agency.api.get(`/v1/creators/${id}`)).status;
const protectionEvents = async (agency: Agency) =>
  (await agency.told())
    .filter(({ type }) => type.startsWith('protection.'))
    .map(({ type, data }) => [type, data.reason]);

/** The platform wrongly answers 404 for the creator, once. */
const wrong404 = (userId: string, operation = 'getNativeCreator') =>
  platform.fault({ operation, match: { user_id: userId }, kind: 'refuse', status: 404, code: 'not_found', times: 1 });

test('a creator that left is 404 at once, on every route (D9, D43)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  const scan = await agency.scan(id, 'k');
  await leave(agency, userId);
  const outcomes = [
    await agency.api.get(`/v1/creators/${id}`),
    await agency.api.get(`/v1/creators/${id}/cases`),
    await agency.api.get(`/v1/scans/${scan.id}`),
    await agency.api.patch(id, { display_name: 'New' }),
    await agency.api.protect(id, 'active'),
    await agency.api.protect(id, 'paused'),
    await agency.api.queueScan(id, 'k'),
    await agency.api.queueScan(id, 'other'),
  ].map(({ outcome }) => outcome);
  expect(new Set(outcomes)).toEqual(new Set(['404 not_found']));
});

test('the repeat of an invitation tells nothing of a creator that has left since (D9)', async () => {
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

test('one creator that the platform can not answer for keeps no other from being seen to have left (D43)', async () => {
  const agency = await service.agency();
  const stuck = await agency.active();
  const gone = await agency.active();
  await leave(agency, stuck.userId);
  await leave(agency, gone.userId);
  const fault = { operation: 'getNativeCreator', match: { user_id: stuck.userId }, kind: 'status', status: 500 };
  await platform.fault({ ...fault, times: 1_000 });
  for (let sync = 0; sync < 4; sync++) await service.pass(EVERY);
  const told = await service.services.creators.load(gone.id as CreatorId);
  expect(told).toMatchObject({ membership: { status: 'ended' }, protection: { status: 'paused' } });
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

test('however often it is read as missing, only a synchronisation ends the membership (D43)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await leave(agency, userId);
  for (let read = 0; read < 5; read++) expect(await status(agency, id)).toBe(404);
  await comeBack(agency, userId);
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
});

test('two synchronisations that miss it end the membership: paused, with the reason, and stays paused on return (D43)', async () => {
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

test('one synchronisation alone does not end it (D43)', async () => {
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

test('a creator that left is not scanned any more, whatever its schedule was', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await leave(agency, userId);
  await service.pass(EVERY);
  await service.pass(EVERY);
  await service.pass(25 * 60 * MINUTE);
  expect(await platform.jobsOf(userId)).toEqual([]);
  expect(await status(agency, id)).toBe(404);
});

test('a running scan of a creator that left comes to an end (D48)', async () => {
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

test('a platform that fails is no 404: nobody is hidden (D36, D43)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await platform.fault({ operation: '*', kind: 'status', status: 500, match: { agency_id: agency.id } });
  await service.pass(EVERY);
  await service.pass(EVERY);
  await platform.heal();
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
});

test('a 404 that is not the contract’s is nonsense, and hides nobody', async () => {
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
  expect((await agency.told()).length).toBe(2);
});

test('a creator made staff is no creator any more', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.changeUser(userId, { is_staff: true });
  expect(await status(agency, id)).toBe(404);
  expect(await agency.api.roster()).toEqual([]);
});
