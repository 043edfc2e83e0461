import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Activity, Case, Creator, DeindexRequest, FullCreator, Impersonation, Page } from '#client';
import { agencyId, MINUTE, SECOND } from '#kernel';
import { CANARY, SecondPlatform } from '../../second-platform/index.js';
import { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
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
  control.member(agency.id, user_id).creator.authorization = {
    approved: true,
    expires_at: '2031-01-31t23:59:59.123456789+14:00',
  };
  expect((await agency.api.protect(invited.id, 'active')).outcome).toBe('200');
  expect(await agency.api.creator(invited.id)).toMatchObject({
    eligible: true,
    authorization: { expires_at: '2031-01-31T09:59:59.123Z' },
  });
  expect((await agency.api.remove(invited.id)).outcome).toBe('409 creator_onboarding_completed');
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
  expect(await agency.api.impersonations(creator.id)).toContainEqual({ ...bodyOf<Impersonation>(reported) });
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

test('an effect without an answer is found by its reference but not repeated', async () => {
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
