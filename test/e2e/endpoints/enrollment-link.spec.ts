import { expect, test } from '@jest/globals';
import { bodyOf } from '../support/api-client.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService();

const writes = async (userId: string) => (await service.platform.effects()).identity_writes[userId] ?? 0;

test('a link is 201 without a mail, linked, not activated, and shows the merged identity (D26)', async () => {
  const agency = await service.agency();
  const profiles = [{ platform: 'x', username: 'ivy' }];
  const userId = await agency.user({ display_name: 'Native', aliases: ['native'], profiles });
  const change = {
    aliases: ['Ivy V.', 'native', 'Ivy V.'],
    profile_urls: ['https://x.com/IVY', 'https://fansly.com/ivy'],
  };
  const enrolled = await agency.api.enroll(agency.linkBody(userId, change));
  expect(enrolled.outcome).toBe('201');
  expect(enrolled.body).toEqual({
    id: expect.any(String),
    workspace_id: agency.workspaceId,
    external_id: `ext-${userId}`,
    display_name: 'Ivy Vale',
    aliases: ['native', 'Ivy V.'],
    profile_urls: ['https://x.com/ivy', 'https://fansly.com/ivy'],
    protection_status: 'not_activated',
    created_at: service.clock.now(),
    enrollment_status: 'linked',
    svc_user_id: userId,
    invitation_id: null,
    simulated: false,
    scan_schedule_managed_by: 'api',
    svc_subscription_managed_by: 'svc',
    email_sent: false,
    identity_sync_pending: false,
  });
  expect(await writes(userId)).toBe(1);
  expect((await service.platform.calls('invite')).length).toBe(0);
});

test('an identical retry is 200 without email_sent, and writes nothing again', async () => {
  const agency = await service.agency();
  const userId = await agency.user();
  const first = bodyOf<Creator>(await agency.api.enroll(agency.linkBody(userId)));
  const again = await agency.api.enroll(agency.linkBody(userId));
  const { email_sent: _, ...creator } = first;
  expect([again.outcome, again.body]).toEqual(['200', creator]);
  expect(await writes(userId)).toBe(1);
});

test('a user id in upper case is the same user', async () => {
  const agency = await service.agency();
  const userId = await agency.user();
  const creator = bodyOf<Creator>(
    await agency.api.enroll(agency.linkBody(userId, { svc_user_id: userId.toUpperCase() })),
  );
  expect(creator.svc_user_id).toBe(userId);
});

test.each([
  ['unknown', async () => crypto.randomUUID()],
  ['a staff account', async (agency) => agency.user({ is_staff: true })],
  ["another agency's", async () => (await service.agency()).user()],
  [
    'archived',
    async (agency) => {
      const userId = await agency.user();
      await agency.changeUser(userId, { archived: true });
      return userId;
    },
  ],
] as const satisfies [string, (agency: Awaited<ReturnType<typeof service.agency>>) => Promise<string>][])(
  'a user that is %s is 404, and the external id stays free (D27)',
  async (_, userOf) => {
    const agency = await service.agency();
    const external_id = 'mine';
    const refused = await agency.api.enroll(agency.linkBody(await userOf(agency), { external_id }));
    expect(refused.outcome).toBe('404 not_found');
    expect((await agency.api.enroll(agency.linkBody(await agency.user(), { external_id }))).outcome).toBe('201');
  },
);

test('the first linking of an imported creator is 201, keeps its id and replaces the automatic external id (D26)', async () => {
  const agency = await service.agency();
  const userId = await agency.user();
  const [imported] = await agency.api.roster();
  expect(imported).toMatchObject({ external_id: `svc:${userId}`, enrollment_status: 'linked' });
  const linked = await agency.api.enroll(agency.linkBody(userId));
  expect(linked.outcome).toBe('201');
  expect(linked.body).toMatchObject({ id: imported?.id, external_id: `ext-${userId}`, email_sent: false });
  expect(await agency.api.roster()).toMatchObject([{ id: imported?.id, external_id: `ext-${userId}` }]);
});

test('the external id of a user is replaced once; a different one conflicts, and another user under the same id does too', async () => {
  const agency = await service.agency();
  const [first = '', second = ''] = await agency.users(2);
  await agency.api.roster();
  expect((await agency.api.enroll(agency.linkBody(first))).outcome).toBe('201');
  const other = agency.linkBody(first, { external_id: 'other' });
  expect((await agency.api.enroll(other)).outcome).toBe('409 external_id_conflict');
  const taken = agency.linkBody(second, { external_id: `ext-${first}` });
  expect((await agency.api.enroll(taken)).outcome).toBe('409 external_id_conflict');
  const invitation = agency.inviteBody({ external_id: `ext-${first}` });
  expect((await agency.api.enroll(invitation)).outcome).toBe('409 external_id_conflict');
});

test('external ids are case-sensitive, and each agency has its own (D25)', async () => {
  const [one, two] = [await service.agency(), await service.agency()];
  const enroll = async (agency: typeof one, external_id: string) =>
    (await agency.api.enroll(agency.linkBody(await agency.user(), { external_id }))).outcome;
  expect([await enroll(one, 'ivy'), await enroll(one, 'Ivy'), await enroll(two, 'ivy')]).toEqual(['201', '201', '201']);
  expect(await enroll(one, 'ivy')).toBe('409 external_id_conflict');
});

test('a user that was invited from the dashboard and is not onboarded cannot be linked yet', async () => {
  const agency = await service.agency();
  const userId = await agency.user({ onboarding_complete: false });
  expect((await agency.api.enroll(agency.linkBody(userId))).outcome).toBe('409 creator_invitation_pending');
  await agency.changeUser(userId, { onboarding_complete: true });
  expect((await agency.api.enroll(agency.linkBody(userId))).outcome).toBe('201');
});

test('linking does not depend on eligibility, and activates nothing', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked({ eligible: false });
  await service.pass(60_000);
  expect(await agency.api.creator(id)).toMatchObject({ eligible: false, protection_status: 'not_activated' });
  expect((await service.platform.effects()).slots).toEqual({});
});
