import { afterAll, afterEach, expect, test } from '@jest/globals';
import { agencyId, DAY, MINUTE, SECOND } from '#kernel';
import { CANARY, SecondPlatform } from '../../second-platform/index.js';
import { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { readCsv } from '../support/csv.js';
import type {
  Activity,
  Case,
  Creator,
  DeindexRequest,
  FullCreator,
  Impersonation,
  Page,
} from '../support/resources.js';
import { startService } from '../support/start-service.js';
import { TestClock } from '../support/test-clock.js';

/** The service as it is, against an implementation of the contract that nobody wrote with the service in mind. */
const clock = new TestClock();
const second = await SecondPlatform.start(() => clock.now());
const { control, record, faults } = second;
const service = await startService({
  clock,
  env: {
    NATIVE_PLATFORM_URL: second.platform.url,
    NATIVE_PLATFORM_TOKEN: second.platform.token,
    SCAN_ENGINE_URL: second.engine.url,
    SCAN_ENGINE_TOKEN: second.engine.token,
    DEINDEX_PROVIDER_URL: second.search.url,
    DEINDEX_PROVIDER_TOKEN: second.search.token,
  },
});
const opened: Agency[] = [];

afterEach(() => {
  expect(record.breaches).toEqual([]);
  expect(record.slips).toEqual([]);
  expect(record.sentTwice()).toEqual([]);
  const answers = opened.flatMap(({ api }) => api.exchanges.map(({ text }) => text));
  expect(answers.filter((text) => text.includes(CANARY) || text.includes('_links'))).toEqual([]);
});
afterAll(() => second.stop());

const open = async (given: Parameters<typeof control.openAgency>[1] = {}): Promise<Agency> => {
  const id = agencyId(`agence n° ${opened.length}/été?`);
  control.openAgency(id, given);
  const agency = await Agency.at(service, id);
  opened.push(agency);
  return agency;
};

const linked = async (agency: Agency, given: Parameters<typeof control.addCreator>[1] = {}) => {
  const { user_id } = control.addCreator(agency.id, given);
  const creator = bodyOf<Creator>(await agency.api.enroll(agency.linkBody(user_id)));
  return { ...creator, userId: user_id };
};

const active = async (agency: Agency) => {
  const profiles = [{ platform: 'x', username: 'Zoë_0', profile_id: null }];
  const creator = await linked(agency, { profiles, aliases: ['zoe', 'ivy'] });
  bodyOf(await agency.api.protect(creator.id, 'active'));
  return creator;
};

const scanned = async (agency: Agency, leaks: number) => {
  const creator = await active(agency);
  const { id } = await agency.scan(creator.id);
  await agency.scanThatIs('running', id);
  const job_id = control.endScan(id, { status: 'running' }).job_id;
  for (let leak = 0; leak < leaks; leak++) control.addLeak(agency.id, creator.userId, { job_id, actionable: true });
  control.endScan(id, { status: 'completed', finished_at: clock.now() });
  return { creator, scan: await agency.scanThatIs('completed', id), job_id };
};

test('a key shows its agency, even if the agency id must be escaped in a URL', async () => {
  const agency = await open();
  expect(await agency.api.got('/v1/me')).toMatchObject({ partner: { id: agency.id }, engine_configured: true });
  expect(await agency.api.got(`/v1/workspaces/${agency.workspaceId}`)).toMatchObject({ external_id: agency.id });
});

test('the roster is read by the last user id, with any cursor and any length of page', async () => {
  const agency = await open();
  const { user_id: native } = control.addCreator(agency.id, { user_id: crypto.randomUUID().toUpperCase() });
  for (let more = 0; more < 6; more++) control.addCreator(agency.id);
  control.addCreator(agency.id, { is_staff: true });
  const { user_id: halfway } = control.addCreator(agency.id, { onboarding_complete: false });
  const roster = await agency.api.roster();
  const users = roster.map(({ svc_user_id }) => svc_user_id);
  expect(users).toHaveLength(8);
  expect(users).toContain(native.toLowerCase());
  expect(users).toEqual(users.toSorted());
  expect(roster.find(({ svc_user_id }) => svc_user_id === halfway)).toMatchObject({ eligible: false });
  expect(await agency.api.roster(1)).toEqual(roster);
});

test('capacity and usage are shown', async () => {
  const agency = await open({ total_slots: 2 });
  const creator = await active(agency);
  control.addCreator(agency.id);
  await service.pass(MINUTE);
  expect(await agency.api.got('/v1/capacity')).toMatchObject({
    plan: 'formule-été-2031',
    subscription_status: 'gift',
    occupied_slots: 1,
    available_slots: 1,
  });
  expect(await agency.api.got('/v1/usage')).toMatchObject({ active_creator_count: 1, creator_seconds: 60 });
  expect(record.of('occupySlot').filter(({ path }) => path.endsWith(creator.userId))).toHaveLength(1);
});

test('a slot that the dashboard holds is used, and stays held after a pause; without one left it is capacity_reached', async () => {
  const agency = await open({ total_slots: 1 });
  const held = await linked(agency);
  const other = await linked(agency);
  control.holdByDashboard(agency.id, held.userId);
  expect((await agency.api.protect(held.id, 'active')).outcome).toBe('200');
  expect((await agency.api.protect(other.id, 'active')).outcome).toBe('409 capacity_reached');
  expect((await agency.api.protect(held.id, 'paused')).outcome).toBe('200');
  expect(control.member(agency.id, held.userId)).toMatchObject({ heldByApi: false, heldByDashboard: true });
  expect((await agency.api.enroll(agency.inviteBody())).outcome).toBe('409 capacity_reached');
});

test('a linked creator gets what was submitted, and keeps what it had', async () => {
  const agency = await open();
  const profiles = [
    { platform: 'patreon', username: 'Zoë' },
    { platform: 'manyvids', username: 'zoe', profile_id: '1001' },
    { platform: 'x', username: 'Zoe', profile_id: null },
  ];
  const { user_id } = control.addCreator(agency.id, { profiles, aliases: ['Zoë'] });
  const submitted = { aliases: ['Zoë', 'Zo'], profile_urls: ['https://x.com/zoe', 'https://fansly.com/zoe'] };
  const enrolled = await agency.api.enroll(agency.linkBody(user_id, submitted));
  expect(enrolled.outcome).toBe('201');
  const { id } = enrolled.body as Creator;
  expect(await agency.api.creator(id)).toMatchObject({
    enrollment_status: 'linked',
    display_name: 'Ivy Vale',
    aliases: ['Zoë', 'Zo'],
    eligible: true,
    authorization: { approved: true },
  });
  const patched = bodyOf<FullCreator>(await agency.api.patch(id, { display_name: 'Zoë', aliases: ['Z'] }));
  expect(patched).toMatchObject({ display_name: 'Zoë', aliases: ['Zoë', 'Zo', 'Z'] });
  expect(patched.profile_urls).toContain('https://www.manyvids.com/Profile/1001/zoe');
  expect(patched.profile_urls).toContain('https://fansly.com/zoe');
});

test('an invitation leads through resend, acceptance, onboarding and mandate to an active creator', async () => {
  const agency = await open();
  const invited = await agency.invited({ aliases: ['Ivy V.'], profile_urls: ['https://x.com/ivy'] });
  expect(invited).toMatchObject({ enrollment_status: 'invited', email_sent: false });
  expect(bodyOf(await agency.api.resendInvitation(invited.id, 'again'))).toMatchObject({ email_sent: true });
  const { user_id } = control.acceptInvitation(agency.id, invited.id);
  await service.pass(5 * MINUTE);
  expect(await agency.api.creator(invited.id)).toMatchObject({
    enrollment_status: 'pending_onboarding',
    identity_sync_pending: true,
    svc_user_id: null,
  });
  expect((await agency.api.protect(invited.id, 'active')).outcome).toBe('409 creator_invitation_pending');
  control.completeOnboarding(agency.id, user_id);
  await service.pass(5 * MINUTE);
  // The roster's synchronization may find it first: what is due again while it is being done waits for a moment.
  await service.passUntil(async () =>
    expect(await agency.api.creator(invited.id)).toMatchObject({
      enrollment_status: 'linked',
      identity_sync_pending: false,
      svc_user_id: user_id,
      aliases: ['Ivy V.'],
      eligible: false,
    }),
  );
  expect(record.of('updateIdentity').filter(({ path }) => path.endsWith(user_id))).toHaveLength(1);
  expect((await agency.api.protect(invited.id, 'active')).outcome).toBe('409 creator_not_eligible');
  control.changeMandate(agency.id, user_id, { approved: true, expires_at: '2031-01-31t23:59:59.123456789+14:00' });
  expect((await agency.api.protect(invited.id, 'active')).outcome).toBe('200');
  expect(await agency.api.creator(invited.id)).toMatchObject({
    eligible: true,
    authorization: { expires_at: '2031-01-31T09:59:59.123Z' },
  });
  expect((await agency.api.remove(invited.id)).outcome).toBe('409 creator_onboarding_completed');
});

test('an invitation that expired by the clock can be resent; one that was withdrawn cannot', async () => {
  const agency = await open({ total_slots: 1 });
  const invited = await agency.invited();
  await service.pass(8 * DAY);
  expect(await agency.api.creator(invited.id)).toMatchObject({ enrollment_status: 'expired' });
  expect((await agency.api.resendInvitation(invited.id, 'again')).outcome).toBe('200');
  expect(bodyOf<Creator>(await agency.api.remove(invited.id)).enrollment_status).toBe('cancelled');
  expect(control.invitation(agency.id, invited.id).status).toBe('cancelled');
});

test('an invitee who accepted and is not onboarded is detached; a refused address is a failed enrollment', async () => {
  const agency = await open();
  const invited = await agency.invited();
  control.acceptInvitation(agency.id, invited.id);
  expect(bodyOf<Creator>(await agency.api.remove(invited.id)).enrollment_status).toBe('detached');
  expect(control.invitation(agency.id, invited.id).status).toBe('detached');
  control.refuseAddress('nobody@example.com');
  const refused = await agency.api.enroll(agency.inviteBody({ email: 'nobody@example.com' }));
  expect(refused.outcome).toBe('400 invalid_request');
});

test('a scan is accepted as queued, runs, and its findings lead to a completed deindex request', async () => {
  const agency = await open();
  const { creator, scan, job_id } = await scanned(agency, 5);
  control.addLeak(agency.id, creator.userId, { status: 'laufend', status_code: 'reviewing' });
  expect(scan).toMatchObject({ svc_job_id: job_id, finished_at: expect.any(Number), error_code: null });
  const cases = await agency.api.cases(creator.id);
  expect(cases.map(({ source }) => source).toSorted()).toEqual([...Array(5).fill('api_scan'), 'svc']);
  const found = cases.find(({ source }) => source === 'api_scan') as Case;
  const { id } = bodyOf<DeindexRequest>(await agency.api.requestDeindex(found.id, 'k'));
  await service.quiet();
  expect(await agency.api.deindexRequest(id)).toMatchObject({ status: 'queued', submitted_to_provider: false });
  control.moveSubmission(id, { status: 'submitted', submitted_to_provider: true });
  await service.pass(5 * MINUTE);
  expect(await agency.api.deindexRequest(id)).toMatchObject({ status: 'submitted', submitted_to_provider: true });
  control.moveSubmission(id, { status: 'removed', removal_verified: true });
  await service.pass(5 * MINUTE);
  expect(await agency.api.deindexRequest(id)).toMatchObject({ status: 'completed', removal_verified: true });
  expect(record.of('dispatchScan').filter(({ key }) => key === scan.id)).toHaveLength(1);
  expect(record.of('submitDeindex').filter(({ key }) => key === id)).toHaveLength(1);
});

test.each([
  ['completed', { error_code: null }],
  ['failed', { error_code: null }],
  ['failed', { error_code: 'moteur en panne : 7' }],
  ['cancelled', { error_code: 'operator' }],
] as const)('a job that is %s without a time of its end, and %j, ends the scan', async (status, end) => {
  const agency = await open();
  const creator = await active(agency);
  const { id } = await agency.scan(creator.id);
  await agency.scanThatIs('running', id);
  control.endScan(id, { status, ...end });
  expect(await agency.scanThatIs(status, id)).toMatchObject({ finished_at: expect.any(Number) });
});

test('cases show changed and removed findings of the platform, and so does the report', async () => {
  const agency = await open();
  const { creator } = await scanned(agency, 3);
  const [changed, gone] = [...control.member(agency.id, creator.userId).leaks.keys()];
  await service.pass(MINUTE);
  control.changeLeak(agency.id, creator.userId, changed ?? '', { status: '削除済み', status_code: 'removed' });
  control.removeLeak(agency.id, creator.userId, gone ?? '');
  const now = await agency.api.cases(creator.id);
  expect(now.find(({ leak_id }) => leak_id === changed)).toMatchObject({ status: '削除済み', status_code: 'removed' });
  await service.pass(15 * MINUTE);
  await service.pass(15 * MINUTE);
  const later = await agency.api.cases(creator.id);
  expect(later.map(({ leak_id, available }) => [leak_id, available]).toSorted()).toEqual(
    now.map(({ leak_id }) => [leak_id, leak_id !== gone]).toSorted(),
  );
  const report = await agency.api.get(`/v1/creators/${creator.id}/report`);
  expect(readCsv(report.text)).toHaveLength(4);
});

test('activity is paged by cursors that a query has to escape, newest first', async () => {
  const agency = await open();
  const creator = await linked(agency);
  for (let more = 0; more < 5; more++) {
    control.addLeak(agency.id, creator.userId);
    clock.advance(SECOND);
  }
  const [leak] = [...control.member(agency.id, creator.userId).leaks.keys()];
  control.changeLeak(agency.id, creator.userId, leak ?? '', { status_code: 'ignored', status: '' });
  const path = `/v1/creators/${creator.id}/activity`;
  const first = await agency.api.got<Page<Activity>>(`${path}?limit=100`);
  expect(first.data.map(({ type }) => type)).toEqual(['leak.status', 'leak.detected']);
  const all = await agency.api.activity(creator.id);
  const times = all.map(({ occurred_at }) => occurred_at);
  expect(all).toHaveLength(6);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
});

test('impersonations are listed and reported, without private notes and contacts', async () => {
  const agency = await open();
  const creator = await linked(agency);
  for (let more = 0; more < 5; more++) control.addImpersonation(agency.id, creator.userId);
  expect(await agency.api.impersonations(creator.id)).toHaveLength(5);
  const report = (url: string, key: string) => agency.api.reportImpersonation(creator.id, url, key);
  const reported = await report('https://www.instagram.com/not_zoe', 'k1');
  expect(reported.outcome).toBe('201');
  expect(reported.body).toMatchObject({ platform: 'instagram', status: 'reported', username: null });
  expect((await report('https://www.instagram.com/not_zoe', 'k1')).outcome).toBe('200');
  expect((await report('https://unheard-of.example/zoe', 'k2')).outcome).toBe('400 invalid_request');
  expect(await agency.api.impersonations(creator.id)).toContainEqual({
    ...bodyOf<Impersonation>(reported),
  });
});

test('the contract accepts the largest input that an agency may submit', async () => {
  const agency = await open();
  const fox = '🦊'.repeat(160);
  const aliases = [fox, 'é'.repeat(60), `${'Ö'.repeat(59)}a`, 'ok'];
  const creator = await linked(agency);
  bodyOf(await agency.api.patch(creator.id, { display_name: fox, aliases, profile_urls: ['https://x.com/Zoe_1'] }));
  bodyOf(await agency.api.protect(creator.id, 'active'));
  await agency.scanThatIs('running', (await agency.scan(creator.id)).id);
  const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.fr`;
  const person = { first_name: '🦊'.repeat(100), last_name: 'é'.repeat(100), display_name: fox, email };
  expect((await agency.api.enroll(agency.inviteBody({ ...person, locale: 'fr' }))).outcome).toBe('201');
});

test('a URL that is not valid is refused before the platform is called', async () => {
  const agency = await open();
  const creator = await linked(agency);
  for (const rest of ['zoë', 'a b', 'a|b"<>^`{}', '\\a', 'a'.repeat(2048)]) {
    const reported = await agency.api.reportImpersonation(creator.id, `https://www.instagram.com/${rest}`, 'k');
    expect(reported.outcome).toBe('400 invalid_request');
  }
});

test('an agency is denied by its state at the platform, and served again', async () => {
  const agency = await open();
  control.changeAgency(agency.id, { kyc_status: 'pending' });
  expect((await agency.api.get('/v1/creators')).outcome).toBe('403 agency_kyc_required');
  control.changeAgency(agency.id, { kyc_status: 'approved', onboarding_complete: false });
  expect((await agency.api.get('/v1/creators')).outcome).toBe('403 agency_account_required');
  control.changeAgency(agency.id, { onboarding_complete: true });
  expect((await agency.api.get('/v1/creators')).outcome).toBe('200');
  control.closeAgency(agency.id);
  expect((await agency.api.get('/v1/creators')).outcome).toBe('403 agency_account_required');
});

test('a creator that leaves is hidden immediately, and its protection ends', async () => {
  const agency = await open();
  const creator = await active(agency);
  control.leave(agency.id, creator.userId);
  expect((await agency.api.get(`/v1/creators/${creator.id}`)).outcome).toBe('404 not_found');
  await service.pass(5 * MINUTE);
  await service.pass(5 * MINUTE);
  expect((await agency.api.get(`/v1/creators/${creator.id}`)).outcome).toBe('404 not_found');
  expect(await agency.api.got('/v1/usage')).toMatchObject({ active_creator_count: 1 });
});

test('a pause releases the slot and cancels a queued scan', async () => {
  const agency = await open();
  const creator = await active(agency);
  const scan = await service.whileNothingIsDone(async () => {
    const queued = await agency.scan(creator.id);
    bodyOf(await agency.api.protect(creator.id, 'paused'));
    return queued;
  });
  await service.quiet();
  expect(await agency.api.scan(scan.id)).toMatchObject({ status: 'cancelled', error_code: 'protection_paused' });
  expect(control.member(agency.id, creator.userId).heldByApi).toBe(false);
  expect(record.of('dispatchScan').filter(({ key }) => key === scan.id)).toEqual([]);
});

test('an effect without an answer is found by its reference, and not repeated', async () => {
  const agency = await open();
  const creator = await active(agency);
  faults.next('dispatchScan', 'cut after the effect');
  const { id } = await agency.scan(creator.id);
  await agency.scanThatIs('running', id);
  faults.next('invite', 'cut after the effect');
  const invited = await agency.invited();
  expect(invited.enrollment_status).toBe('uncertain');
  await service.passUntil(async () => expect((await agency.api.creator(invited.id)).enrollment_status).toBe('invited'));
  expect(record.of('dispatchScan').filter(({ key }) => key === id)).toHaveLength(1);
  expect(record.of('invite').filter(({ key }) => key === invited.id)).toHaveLength(1);
});

test('after a passing fault the same key succeeds', async () => {
  const agency = await open();
  const creator = await active(agency);
  faults.next('dispatchScan', { status: 429 }, { status: 502 });
  const { id } = await agency.scan(creator.id);
  await agency.scanThatIs('running', id);
  faults.next('getNativeCreator', { status: 500 }, { status: 504 });
  expect(await agency.api.creator(creator.id)).toMatchObject({ id: creator.id });
  expect(record.of('dispatchScan').filter(({ key }) => key === id)).toHaveLength(3);
});
