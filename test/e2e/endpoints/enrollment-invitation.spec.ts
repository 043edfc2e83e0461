import { expect, test } from '@jest/globals';
import { DAY } from '#kernel';
import { bodyOf } from '../support/api-client.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService();

const mails = async ({ id }: Creator) => (await service.platform.effects()).mails[id] ?? 0;

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
  expect(await service.platform.invitationOf(id)).toMatchObject({
    email,
    display_name: 'Mae D.',
    invitee: { ...invitee, locale: locale.slice(0, 2) },
  });
});

test('accounts and aliases that are submitted twice show once, in their first spelling (D32, D33)', async () => {
  const agency = await service.agency();
  const profile_urls = [
    'https://x.com/Ivy',
    'https://www.x.com/ivy/',
    'https://mym.com/fr/ivy',
    'https://mym.fans/ivy',
  ];
  const { id } = await agency.invited({ profile_urls, aliases: ['Ivy V.', ' Ivy V. ', 'ivy v.'] });
  expect(await agency.api.creator(id)).toMatchObject({
    aliases: ['Ivy V.', 'ivy v.'],
    profile_urls: ['https://x.com/Ivy', 'https://mym.fans/ivy'],
  });
});

test('email_sent is false where the mail provider did not accept the mail', async () => {
  const agency = await service.agency();
  const creator = await agency.invited({ email: 'ivy@undeliverable.example' });
  expect(creator).toMatchObject({ email_sent: false, enrollment_status: 'invited' });
  expect(await mails(creator)).toBe(0);
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

test('ten identical concurrent requests make one creator, one 201 and one mail', async () => {
  const agency = await service.agency();
  const body = agency.inviteBody();
  const answers = await Promise.all(Array.from({ length: 10 }, () => agency.api.enroll(body)));
  expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual([...Array(9).fill('200'), '201']);
  const ids = new Set(answers.map((answer) => bodyOf<Creator>(answer).id));
  expect(ids.size).toBe(1);
  expect(await mails(bodyOf<Creator>(answers[0] ?? (await agency.api.enroll(body))))).toBe(1);
});

test('two different concurrent requests under one external id: one enrolls, the other conflicts', async () => {
  const agency = await service.agency();
  const answers = await Promise.all(
    ['One', 'Two'].map((display_name) => agency.api.enroll(agency.inviteBody({ external_id: 'ivy', display_name }))),
  );
  expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['201', '409 external_id_conflict']);
});

test('an invitation that is not accepted in seven days expires', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  service.clock.advance(7 * DAY - 1);
  expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'invited' });
  service.clock.advance(1);
  expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'expired', eligible: false });
  await service.quiet();
});

test('before onboarding, pausing changes nothing, and every other write is refused (D37, D41, D46)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  expect((await agency.api.protect(id, 'paused')).body).toMatchObject({ protection_status: 'not_activated' });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('409 creator_invitation_pending');
  expect((await agency.api.patch(id, { display_name: 'New' })).outcome).toBe('409 creator_invitation_pending');
  expect((await agency.api.queueScan(id, 'k')).outcome).toBe('409 creator_not_eligible');
});
