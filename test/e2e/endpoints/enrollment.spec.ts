import { expect, test } from '@jest/globals';
import type { Creator } from '#client';
import { bodyOf } from '../support/api-client.js';
import { refusedFields } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const { platform } = service;
const writes = async (userId: string) => (await platform.effects()).identity_writes[userId] ?? 0;

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
  expect((await platform.calls('invite')).length).toBe(0);
});

test('a user that was invited from the dashboard and is not onboarded cannot be linked yet', async () => {
  const agency = await service.agency();
  const userId = await agency.user({ onboarding_complete: false });
  expect((await agency.api.enroll(agency.linkBody(userId))).outcome).toBe('409 creator_invitation_pending');
  await agency.changeUser(userId, { onboarding_complete: true });
  expect((await agency.api.enroll(agency.linkBody(userId))).outcome).toBe('201');
});

const mails = async ({ id }: Creator) => (await platform.effects()).mails[id] ?? 0;

test('an invitation is 201, mailed once, and shows what was submitted (D30)', async () => {
  const agency = await service.agency();
  const submitted = { external_id: 'ivy', aliases: ['Ivy V.'], profile_urls: ['https://x.com/ivy'] };
  const enrolled = await agency.api.enroll(agency.inviteBody(submitted));
  const creator = bodyOf<Creator>(enrolled);
  expect(enrolled.outcome).toBe('201');
  expect(creator).toMatchObject({
    ...submitted,
    display_name: 'Ivy Vale',
    protection_status: 'not_activated',
    enrollment_status: 'invited',
    svc_user_id: null,
    invitation_id: expect.stringMatching(/^inv_/),
    identity_sync_pending: false,
    email_sent: true,
  });
  expect(await mails(creator)).toBe(1);
  const { authorization, entitlement, eligible } = await agency.api.creator(creator.id);
  expect({ authorization, entitlement, eligible }).toStrictEqual({
    authorization: { approved: false, status: 'missing' },
    entitlement: { active: false, source: 'none' },
    eligible: false,
  });
});

test.each([
  ['fr', { locale: 'fr' }],
  ['en', { locale: 'en' }],
  ['en, where it is left out', {}],
])('the mail goes to the address and the names that were sent, in %s (D23)', async (locale, change) => {
  const agency = await service.agency();
  const person = { email: 'mae@example.com', first_name: 'Maëlle', last_name: 'Dujardin' };
  const { id } = await agency.invited({ display_name: 'Mae D.', ...person, ...change });
  const { email, ...invitee } = person;
  expect(await platform.invitationOf(id)).toMatchObject({
    email,
    display_name: 'Mae D.',
    invitee: { ...invitee, locale: locale.slice(0, 2) },
  });
});

test('an identical retry is 200 and neither shows nor sends a mail; keys may be in another order (D24)', async () => {
  const agency = await service.agency();
  const body = agency.inviteBody({ aliases: ['a', 'b'] });
  const first = bodyOf<Creator>(await agency.api.enroll(body));
  const { email_sent: _, ...creator } = first;
  for (const retry of [body, Object.fromEntries(Object.entries(body).toReversed())]) {
    const again = await agency.api.enroll(retry);
    expect([again.outcome, again.body]).toEqual(['200', creator]);
  }
  expect(await mails(first)).toBe(1);
});

test.each([
  ['another name', { display_name: 'Other' }],
  ['another order of aliases', { aliases: ['b', 'a'] }],
  ['a default spelled out', { locale: 'en' }],
  ['an empty list that was left out', { profile_urls: [] }],
  ['another address', { email: 'other@example.com' }],
])('the same external id with %s is external_id_conflict (D24)', async (_, change) => {
  const agency = await service.agency();
  const body = agency.inviteBody({ aliases: ['a', 'b'] });
  const creator = bodyOf<Creator>(await agency.api.enroll(body));
  expect((await agency.api.enroll({ ...body, ...change })).outcome).toBe('409 external_id_conflict');
  expect(await mails(creator)).toBe(1);
});

test('before onboarding, pausing changes nothing, and every other write is refused (D37, D41, D46)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  expect((await agency.api.protect(id, 'paused')).body).toMatchObject({ protection_status: 'not_activated' });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('409 creator_invitation_pending');
  expect((await agency.api.patch(id, { display_name: 'New' })).outcome).toBe('409 creator_invitation_pending');
  expect((await agency.api.queueScan(id, 'k')).outcome).toBe('409 creator_not_eligible');
});

const invitations = ({ id }: Creator) => platform.calls('invite', id);

test('a refused invitation is a 400 on `email`, and failed; the same payload tries again under the same reference (D28)', async () => {
  const agency = await service.agency();
  await platform.fault({ operation: 'invite', kind: 'refuse', status: 422, code: 'invitation_rejected', times: 2 });
  const body = agency.inviteBody();
  const refused = await agency.api.enroll(body);
  expect(refusedFields(refused)).toEqual(['email']);
  const { location } = refused.headers;
  expect((await agency.api.get(String(location))).body).toMatchObject({ enrollment_status: 'failed' });
  expect((await agency.api.enroll(body)).headers.location).toBe(location);
  const changed = await agency.api.enroll({ ...body, email: 'other@example.com' });
  expect(changed.outcome).toBe('409 external_id_conflict');
  const accepted = await agency.api.enroll(body);
  const creator = bodyOf<Creator>(accepted);
  expect([accepted.outcome, accepted.headers.location]).toEqual(['201', location]);
  expect(creator).toMatchObject({ enrollment_status: 'invited', email_sent: true });
  expect((await agency.api.enroll(body)).outcome).toBe('200');
  expect(await invitations(creator)).toHaveLength(3);
  expect(await mails(creator)).toBe(1);
});
