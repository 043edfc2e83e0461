import { expect, test } from '@jest/globals';
import type { FullCreator, Page } from '#client';
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

test('the order is that of native user ids, page by page, without repeats or gaps', async () => {
  const agency = await service.agency();
  const users = await agency.users(23);
  for (const limit of [1, 5, 22, 23, 100]) {
    const creators = await agency.api.roster(limit);
    expect(creators.map(({ svc_user_id }) => svc_user_id)).toEqual(users);
  }
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

test('a user who bears an invitation of this workspace is that creator, and is never imported (D35)', async () => {
  const agency = await service.agency();
  const { id, external_id } = await agency.invited();
  await service.platform.control('PATCH', `/invitations/${id}`, { status: 'onboarded', eligible: true });
  expect(await agency.api.roster()).toMatchObject([{ id, external_id, enrollment_status: 'linked' }]);
});
