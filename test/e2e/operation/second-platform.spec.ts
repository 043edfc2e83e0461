import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Activity, Case, Creator, DeindexRequest, FullCreator, Impersonation, Page } from '#client';
import { agencyId, MINUTE, SECOND } from '#kernel';
import { CANARY, SecondPlatform } from '../../second-platform/index.js';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { startService } from '../support/start-service.js';

/** The service as it is, against a platform that differs from the sandbox wherever the contract allows it. */
let second: SecondPlatform;
const service = await startService({
  env: async (sandbox) => {
    second = await SecondPlatform.start(sandbox);
    return second.environment;
  },
});
const { platform, clock } = service;
const opened: Agency[] = [];

afterEach(async () => {
  expect(await second.complaints()).toEqual([]);
  const answers = opened.flatMap(({ api }) => api.exchanges.map(({ text }) => text));
  expect(answers.filter((text) => text.includes(CANARY) || text.includes('_links'))).toEqual([]);
});
afterAll(() => second.stop());

const open = async (): Promise<Agency> => {
  const agency = await service.agency({ id: agencyId(`agence n° ${opened.length}/été?`) });
  opened.push(agency);
  return agency;
};

const calls = async (operation: string, key: string) =>
  (await second.calls(operation)).filter(({ idempotency_key }) => idempotency_key === key);

test('the roster is read by the last user id, with any cursor and any length of page', async () => {
  const agency = await open();
  const users = await agency.users(7);
  await agency.user({ is_staff: true });
  const roster = await agency.api.roster();
  expect(roster.map(({ svc_user_id }) => svc_user_id)).toEqual(users);
  expect(await agency.api.roster(1)).toEqual(roster);
});

test('a linked creator gets what was submitted, and keeps what it had', async () => {
  const agency = await open();
  const profiles = [
    { platform: 'patreon', username: 'Zoë' },
    { platform: 'manyvids', username: 'zoe', profile_id: '1001' },
    { platform: 'x', username: 'Zoe', profile_id: null },
  ];
  const authorization = { approved: true, expires_at: '2031-01-31t23:59:59.123456789+14:00' };
  const userId = await agency.user({ profiles, aliases: ['Zoë'], authorization, entitlement: { active: true } });
  const submitted = { aliases: ['Zoë', 'Zo'], profile_urls: ['https://x.com/zoe', 'https://fansly.com/zoe'] };
  const { id } = bodyOf<Creator>(await agency.api.enroll(agency.linkBody(userId, submitted)));
  expect(await agency.api.creator(id)).toMatchObject({
    enrollment_status: 'linked',
    display_name: 'Ivy Vale',
    aliases: ['Zoë', 'Zo'],
    eligible: true,
    authorization: { approved: true, expires_at: '2031-01-31T09:59:59.123Z' },
  });
  const patched = bodyOf<FullCreator>(await agency.api.patch(id, { display_name: 'Zoë', aliases: ['Z'] }));
  expect(patched).toMatchObject({ display_name: 'Zoë', aliases: ['Zoë', 'Zo', 'Z'] });
  expect(patched.profile_urls).toContain('https://www.manyvids.com/Profile/1001/zoe');
  expect(patched.profile_urls).toContain('https://fansly.com/zoe');
});

test('an invitation leads through resend, acceptance and onboarding to an active creator', async () => {
  const agency = await open();
  const invited = await agency.invited({ aliases: ['Ivy V.'], profile_urls: ['https://x.com/ivy'] });
  bodyOf(await agency.api.resendInvitation(invited.id, 'again'));
  const invitation = `/invitations/${invited.id}`;
  const { user_id } = await platform.control<{ user_id: string }>('PATCH', invitation, { status: 'accepted' });
  expect(await agency.api.creator(invited.id)).toMatchObject({
    enrollment_status: 'pending_onboarding',
    svc_user_id: null,
  });
  await platform.control('PATCH', invitation, { status: 'onboarded', eligible: true });
  await service.passUntil(async () =>
    expect(await agency.api.creator(invited.id)).toMatchObject({
      enrollment_status: 'linked',
      identity_sync_pending: false,
      svc_user_id: user_id,
      aliases: ['Ivy V.'],
    }),
  );
  expect((await agency.api.protect(invited.id, 'active')).outcome).toBe('200');
  expect((await agency.api.remove(invited.id)).outcome).toBe('409 creator_onboarding_completed');
});

test('a scan is accepted as queued, runs, and its findings lead to a completed deindex request', async () => {
  const agency = await open();
  const creator = await agency.active({ profiles: [{ platform: 'x', username: 'Zoë_0' }], aliases: ['zoe', 'ivy'] });
  await agency.leaks(creator.userId, 1, { status: 'laufend', url: 'https://leaks.example/1?q=a%20b&r=é#top' });
  const { id: scanId } = await agency.scan(creator.id);
  const scan = await agency.scanThatIs('completed', scanId);
  expect(scan).toMatchObject({ svc_job_id: expect.stringMatching(/^é job_/), error_code: null });
  const cases = await agency.api.cases(creator.id);
  expect(cases.map(({ source }) => source).toSorted()).toEqual(['api_scan', 'api_scan', 'svc']);
  const found = cases.find(({ source }) => source === 'api_scan') as Case;
  const { id } = bodyOf<DeindexRequest>(await agency.api.requestDeindex(found.id, 'k'));
  await service.quiet();
  for (const status of ['submitted', 'removed']) {
    await platform.control('PATCH', `/submissions/${id}`, { status });
    await service.pass(5 * MINUTE);
  }
  expect(await agency.api.deindexRequest(id)).toMatchObject({ status: 'completed', removal_verified: true });
  expect(await calls('dispatchScan', scanId)).toHaveLength(1);
  expect(await calls('submitDeindex', id)).toHaveLength(1);
});

test('activity is paged by cursors that a query has to escape, newest first', async () => {
  const agency = await open();
  const creator = await agency.linked();
  for (let more = 0; more < 5; more++) {
    await agency.leaks(creator.userId, 1);
    clock.advance(SECOND);
  }
  const path = `/v1/creators/${creator.id}/activity`;
  expect((await agency.api.got<Page<Activity>>(`${path}?limit=100`)).data).toHaveLength(2);
  const all = await agency.api.activity(creator.id);
  const times = all.map(({ occurred_at }) => occurred_at);
  expect(all).toHaveLength(5);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
});

test('impersonations are listed and reported', async () => {
  const agency = await open();
  const creator = await agency.linked();
  await agency.impersonations(creator.userId, 5, { platform: 'patreon', url: 'https://patreon.com/not-her' });
  expect(await agency.api.impersonations(creator.id)).toHaveLength(5);
  const report = () => agency.api.reportImpersonation(creator.id, 'https://www.instagram.com/not_zoe', 'k1');
  const reported = bodyOf<Impersonation>(await report());
  expect((await report()).outcome).toBe('200');
  expect(await agency.api.impersonations(creator.id)).toContainEqual(reported);
});

test('the contract accepts the largest input that an agency may submit', async () => {
  const agency = await open();
  const fox = '🦊'.repeat(160);
  const aliases = [fox, 'é'.repeat(60), `${'Ö'.repeat(59)}a`, 'ok'];
  const creator = await agency.linked();
  bodyOf(await agency.api.patch(creator.id, { display_name: fox, aliases, profile_urls: ['https://x.com/Zoe_1'] }));
  bodyOf(await agency.api.protect(creator.id, 'active'));
  await agency.scanThatIs('completed', (await agency.scan(creator.id)).id);
  const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.fr`;
  const person = { first_name: '🦊'.repeat(100), last_name: 'é'.repeat(100), display_name: fox, email };
  expect((await agency.api.enroll(agency.inviteBody({ ...person, locale: 'fr' }))).outcome).toBe('201');
});

test('an effect without an answer is found by its reference but not repeated', async () => {
  const agency = await open();
  const creator = await agency.active();
  await platform.fault({ operation: 'dispatchScan', kind: 'close_after', times: 1 });
  const { id } = await agency.scan(creator.id);
  await agency.scanThatIs('completed', id);
  await platform.fault({ operation: 'invite', kind: 'close_after', times: 1 });
  const invited = await agency.invited();
  expect(invited.enrollment_status).toBe('uncertain');
  await service.passUntil(async () => expect((await agency.api.creator(invited.id)).enrollment_status).toBe('invited'));
  expect(await calls('dispatchScan', id)).toHaveLength(1);
  expect(await calls('invite', invited.id)).toHaveLength(1);
});
