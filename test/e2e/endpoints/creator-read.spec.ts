import { expect, test } from '@jest/globals';
import { HOUR, MINUTE } from '#kernel';
import { refusedFields } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });

test('GET shows the full creator as the platform has it now', async () => {
  const agency = await service.agency();
  const { id, userId, external_id } = await agency.linked();
  expect(await agency.api.creator(id)).toMatchObject({ id, external_id, display_name: 'Ivy Vale', eligible: true });
  await agency.changeUser(userId, { display_name: 'Renamed', entitlement: 'creator_subscription' });
  expect(await agency.api.creator(id)).toMatchObject({
    display_name: 'Renamed',
    entitlement: { active: true, source: 'creator_subscription' },
  });
});

test('an invitee that has accepted waits for onboarding, and shows what was submitted (D30)', async () => {
  const agency = await service.agency();
  const submitted = { display_name: 'Submitted', aliases: ['s'], profile_urls: ['https://x.com/s'] };
  const { id } = await agency.invited(submitted);
  await service.platform.control('PATCH', `/invitations/${id}`, { status: 'accepted' });
  expect(await agency.api.creator(id)).toMatchObject({
    ...submitted,
    enrollment_status: 'pending_onboarding',
    identity_sync_pending: true,
    svc_user_id: null,
    authorization: { approved: false, status: 'missing' },
    entitlement: { active: false, source: 'none' },
    eligible: false,
  });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('409 creator_invitation_pending');
});

test('onboarding completes on a read; the submitted identity is then written once (D30)', async () => {
  const agency = await service.agency();
  const submitted = { display_name: 'Submitted', aliases: ['s'], profile_urls: ['https://x.com/s'] };
  const { id } = await agency.invited(submitted);
  const { user_id } = await service.platform.control<{ user_id: string }>('PATCH', `/invitations/${id}`, {
    status: 'onboarded',
    eligible: true,
  });
  await agency.changeUser(user_id, { display_name: 'Own name', aliases: ['own'] });
  const merged = { ...submitted, aliases: ['own', 's'] };
  expect(await agency.api.creator(id)).toMatchObject({
    enrollment_status: 'linked',
    svc_user_id: user_id,
    eligible: true,
    protection_status: 'not_activated',
    ...merged,
  });
  await service.quiet();
  expect(await agency.api.creator(id)).toMatchObject({ ...merged, identity_sync_pending: false });
  for (const { data } of await agency.publishedEvents()) expect(data.creator?.aliases).toContain('s');
  await service.pass(HOUR);
  expect((await service.platform.effects()).identity_writes[user_id]).toBe(1);
});

const profiles = [{ platform: 'x', username: 'Ivy', profile_id: null }];

test('the name is set, omitted fields are unchanged', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked({ aliases: ['a'], profiles });
  const patched = await agency.api.patch(id, { display_name: 'New' });
  expect(patched.outcome).toBe('200');
  expect(patched.body).toMatchObject({ display_name: 'New', aliases: ['a'], profile_urls: ['https://x.com/Ivy'] });
  expect(await agency.api.creator(id)).toEqual(patched.body);
});

test('the limits of 30 and 20 are per request, not on what is stored (D33)', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked({ aliases: [], profiles: [] });
  const batch = (name: string) => ({
    aliases: Array.from({ length: 30 }, (_, at) => `${name}${at}`),
    profile_urls: Array.from({ length: 20 }, (_, at) => `https://x.com/${name}${at}`),
  });
  await agency.api.patch(id, batch('a'));
  const { aliases, profile_urls } = (await agency.api.patch(id, batch('b'))).body as ReturnType<typeof batch>;
  expect([aliases.length, profile_urls.length]).toEqual([60, 40]);
});

test.each([{}, { aliases: undefined }])('a body without a change is 400: %j (D37)', async (body) => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  expect(refusedFields(await agency.api.patch(id, body))).toEqual(['body']);
});

test('a name that is set right after onboarding stays: what was submitted is written before it (D30, D37)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited({ display_name: 'Submitted' });
  await service.platform.control('PATCH', `/invitations/${id}`, { status: 'accepted' });
  await service.platform.control('PATCH', `/invitations/${id}`, { status: 'onboarded' });
  expect((await agency.api.patch(id, { display_name: 'Patched' })).body).toMatchObject({ display_name: 'Patched' });
  await service.pass(MINUTE);
  expect(await agency.api.creator(id)).toMatchObject({ display_name: 'Patched', identity_sync_pending: false });
});

test('two concurrent changes are both kept', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked({ aliases: [], profiles });
  await Promise.all(['a', 'b', 'c'].map((alias) => agency.api.patch(id, { aliases: [alias] })));
  expect((await agency.api.creator(id)).aliases.toSorted()).toEqual(['a', 'b', 'c']);
});
