import { expect, test } from '@jest/globals';
import { bodyOf } from '../support/api-client.js';
import type { Creator, FullCreator, Page } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService();

test('reading the roster imports what is new as full creators, and activates nothing', async () => {
  const agency = await service.agency();
  const userId = await agency.user({
    display_name: 'Native',
    aliases: ['n'],
    profiles: [{ platform: 'x', username: 'n' }],
  });
  const { data, next_cursor } = await agency.api.got<Page<FullCreator>>('/v1/creators');
  expect(next_cursor).toBeNull();
  expect(data).toEqual([
    expect.objectContaining({
      external_id: `svc:${userId}`,
      display_name: 'Native',
      aliases: ['n'],
      profile_urls: ['https://x.com/n'],
      protection_status: 'not_activated',
      enrollment_status: 'linked',
      svc_user_id: userId,
      invitation_id: null,
      eligible: true,
      authorization: { approved: true, status: 'approved', expires_at: null },
      entitlement: { active: true, source: 'agency_plan' },
    }),
  ]);
  expect((await service.platform.effects()).slots).toEqual({});
});

test('reading it again shows the same ids, and publishes nothing', async () => {
  const agency = await service.agency();
  await agency.users(3);
  const first = await agency.api.roster();
  await service.quiet();
  const events = await agency.publishedEvents();
  expect(await agency.api.roster()).toEqual(first);
  await service.quiet();
  expect(await agency.publishedEvents()).toEqual(events);
});

test('two concurrent readers import each creator once', async () => {
  const agency = await service.agency();
  await agency.users(20);
  const [one, two] = await Promise.all([agency.api.roster(), agency.api.roster()]);
  expect(one.map(({ id }) => id)).toEqual(two.map(({ id }) => id));
  expect((await agency.publishedEvents()).map(({ type }) => type)).toEqual(Array(20).fill('creator.updated'));
});

test('the order is that of native user ids, page by page, without repeats or gaps', async () => {
  const agency = await service.agency();
  const users = await agency.users(23);
  for (const limit of [1, 5, 22, 23, 100]) {
    const creators = await agency.api.roster(limit);
    expect(creators.map(({ svc_user_id }) => svc_user_id)).toEqual(users);
  }
});

test('a page has 25 creators by default, and its cursor is its last user id', async () => {
  const agency = await service.agency();
  const users = await agency.users(26);
  const page = await agency.api.got<Page<FullCreator>>('/v1/creators');
  expect(page.data).toHaveLength(25);
  expect(page.next_cursor).toBe(users[24]);
  const last = await agency.api.got<Page<FullCreator>>(`/v1/creators?after=${page.next_cursor}`);
  expect([last.data.map(({ svc_user_id }) => svc_user_id), last.next_cursor]).toEqual([[users[25]], null]);
});

test('any UUID is a valid cursor, on the roster or not, in upper case too; nothing else is (D13)', async () => {
  const agency = await service.agency();
  const [first = '', second = ''] = await agency.users(2);
  const after = async (cursor: string) =>
    (await agency.api.got<Page<FullCreator>>(`/v1/creators?after=${cursor}`)).data.map(
      ({ svc_user_id }) => svc_user_id,
    );
  expect(await after('00000000-0000-0000-0000-000000000000')).toEqual([first, second]);
  expect(await after(first.toUpperCase())).toEqual([second]);
  expect(await after('ffffffff-ffff-ffff-ffff-ffffffffffff')).toEqual([]);
  const [{ id } = { id: '' }] = await agency.api.roster();
  expect((await agency.api.get(`/v1/creators?after=${id}`)).outcome).toBe('400 invalid_request');
});

test('changes made in the dashboard show immediately', async () => {
  const agency = await service.agency();
  const userId = await agency.user();
  const [before] = await agency.api.roster();
  const profiles = [{ platform: 'tiktok', username: 'new' }];
  await agency.changeUser(userId, { display_name: 'New', aliases: [], profiles, authorization: 'rejected' });
  expect(await agency.api.roster()).toEqual([
    {
      ...before,
      display_name: 'New',
      aliases: [],
      profile_urls: ['https://www.tiktok.com/@new'],
      authorization: { approved: false, status: 'rejected', expires_at: null },
      eligible: false,
    },
  ]);
});

test('profiles of other platforms, and of manyvids without its id, are left out (D32)', async () => {
  const agency = await service.agency();
  const profiles = [
    { platform: 'facebook', username: 'ivy' },
    { platform: 'manyvids', username: 'ivy' },
    { platform: 'manyvids', username: 'ivy', profile_id: '7' },
  ];
  await agency.user({ profiles });
  expect(await agency.api.roster()).toMatchObject([{ profile_urls: ['https://www.manyvids.com/Profile/7/ivy'] }]);
});

test('staff, users that are not onboarded, and users that left are not in it', async () => {
  const agency = await service.agency();
  const [stays = '', leaves = '', archived = ''] = await agency.users(3);
  await agency.user({ is_staff: true });
  await agency.user({ onboarding_complete: false });
  expect(await agency.api.roster()).toHaveLength(3);
  await agency.changeUser(leaves, { agency_id: null });
  await agency.changeUser(archived, { archived: true });
  expect((await agency.api.roster()).map(({ svc_user_id }) => svc_user_id)).toEqual([stays]);
});

test('an invitee without a native user is not in it (D35)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  expect(await agency.api.roster()).toEqual([]);
  await service.platform.control('POST', `/invitations/${id}/accept`);
  expect(await agency.api.roster()).toEqual([]);
});

test('a user who bears an invitation of this workspace is that creator, and is never imported (D35)', async () => {
  const agency = await service.agency();
  const { id, external_id } = await agency.invited();
  await service.platform.control('POST', `/invitations/${id}/onboard`, { eligible: true });
  expect(await agency.api.roster()).toMatchObject([{ id, external_id, enrollment_status: 'linked' }]);
});

test('linking a user who bears an invitation of this workspace conflicts: that user is enrolled (D35)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  const { user_id } = await service.platform.control<{ user_id: string }>('POST', `/invitations/${id}/onboard`, {});
  expect((await agency.api.enroll(agency.linkBody(user_id))).outcome).toBe('409 external_id_conflict');
});

test('the roster shows enrolled and imported creators', async () => {
  const agency = await service.agency();
  const [linked = '', imported = ''] = await agency.users(2);
  const creator = bodyOf<Creator>(await agency.api.enroll(agency.linkBody(linked)));
  const roster = await agency.api.roster();
  expect(roster.map(({ external_id }) => external_id)).toEqual([creator.external_id, `svc:${imported}`]);
});

test('an agency sees only its own roster', async () => {
  const [one, two] = [await service.agency(), await service.agency()];
  await one.users(2);
  expect(await one.api.roster()).toHaveLength(2);
  expect(await two.api.roster()).toEqual([]);
});
