import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import { refusedFields } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });

const profiles = [{ platform: 'x', username: 'Ivy', profile_id: null }];

test('the name is set, omitted fields are unchanged', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked({ aliases: ['a'], profiles });
  const patched = await agency.api.patch(id, { display_name: 'New' });
  expect(patched.outcome).toBe('200');
  expect(patched.body).toMatchObject({ display_name: 'New', aliases: ['a'], profile_urls: ['https://x.com/Ivy'] });
  expect(await agency.api.creator(id)).toEqual(patched.body);
});

test('aliases and URLs merge, and never remove; repeating adds nothing (D32, D33)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked({ aliases: ['a'], profiles });
  const change = { aliases: [' b ', 'a', 'b'], profile_urls: ['https://x.com/IVY', 'https://fansly.com/ivy/'] };
  const merged = { aliases: ['a', 'b'], profile_urls: ['https://x.com/Ivy', 'https://fansly.com/ivy'] };
  expect((await agency.api.patch(id, change)).body).toMatchObject(merged);
  const { identity_writes } = await service.platform.effects();
  expect((await agency.api.patch(id, change)).body).toMatchObject(merged);
  expect((await service.platform.effects()).identity_writes[userId]).toBe(identity_writes[userId]);
});

test('aliases are normalized to NFC, and compared exactly (D33)', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked({ aliases: ['Zoe\u0308'.normalize('NFC')] });
  const { body } = await agency.api.patch(id, { aliases: ['Zoe\u0308', 'zoë'] });
  expect(body).toMatchObject({ aliases: ['Zoë', 'zoë'] });
});

test('what the platform has in any form is not written to it again; nothing to write writes nothing (D33)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked({ aliases: ['Zoe\u0308'] });
  await agency.changeUser(userId, { aliases: ['Zoe\u0308', '\u200bTalia'] });
  const { length } = await service.platform.calls('updateIdentity');
  const { display_name } = await agency.api.creator(id);
  const patched = await agency.api.patch(id, { display_name, aliases: ['Zo\u00eb', 'Talia'] });
  expect(patched.body).toMatchObject({ display_name, aliases: ['Zo\u00eb', 'Talia'] });
  expect(await service.platform.calls('updateIdentity')).toHaveLength(length);
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

test.each([
  ['external_id', { external_id: 'new' }],
  ['email', { email: 'i@example.com' }],
  ['svc_user_id', { svc_user_id: crypto.randomUUID() }],
  ['display_name', { display_name: null }],
  ['display_name', { display_name: 'x'.repeat(161) }],
  ['aliases', { aliases: null }],
  ['aliases[0]', { aliases: ['\u0007'] }],
  ['profile_urls[0]', { profile_urls: ['https://example.com/ivy'] }],
])('%s cannot be so: %j', async (field, change) => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  expect(refusedFields(await agency.api.patch(id, change))).toEqual([field]);
});

test('an empty array changes nothing (D37)', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked({ aliases: ['a'], profiles });
  const before = await agency.api.creator(id);
  const patched = await agency.api.patch(id, { aliases: [], profile_urls: [] });
  expect([patched.outcome, patched.body]).toEqual(['200', before]);
});

test('before onboarding it is creator_invitation_pending (D37)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  expect((await agency.api.patch(id, { aliases: ['a'] })).outcome).toBe('409 creator_invitation_pending');
  await service.platform.control('POST', `/invitations/${id}/accept`);
  expect((await agency.api.patch(id, { aliases: ['a'] })).outcome).toBe('409 creator_invitation_pending');
  await service.platform.control('POST', `/invitations/${id}/onboard`, {});
  expect((await agency.api.patch(id, { aliases: ['a'] })).outcome).toBe('200');
});

test('a name that is set right after onboarding stays: what was submitted is written before it (D30, D37)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited({ display_name: 'Submitted' });
  await service.platform.control('POST', `/invitations/${id}/accept`);
  await service.platform.control('POST', `/invitations/${id}/onboard`, {});
  expect((await agency.api.patch(id, { display_name: 'Patched' })).body).toMatchObject({ display_name: 'Patched' });
  await service.pass(MINUTE);
  expect(await agency.api.creator(id)).toMatchObject({ display_name: 'Patched', identity_sync_pending: false });
});

test.each([
  ['close_before', '503 provider_unavailable'],
  ['close_after', '503 provider_unavailable'],
  ['hang', '504 provider_timeout'],
  ['wrong_shape', '502 provider_invalid_response'],
])('the platform fails the write (%s): the documented 5xx, and the repeat is harmless', async (kind, outcome) => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked({ aliases: [], profiles });
  await service.platform.fault({ operation: 'updateIdentity', match: { agency_id: agency.id }, kind });
  const { identity_writes } = await service.platform.effects();
  expect((await agency.api.patch(id, { aliases: ['a'] })).outcome).toBe(outcome);
  await service.platform.heal();
  expect((await agency.api.patch(id, { aliases: ['a'] })).body).toMatchObject({ aliases: ['a'] });
  expect((await service.platform.effects()).identity_writes[userId]).toBe((identity_writes[userId] ?? 0) + 1);
});

test('a change that the platform refuses is 502', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  await service.platform.fault({ operation: 'updateIdentity', kind: 'refuse', status: 422, code: 'too_long' });
  expect((await agency.api.patch(id, { aliases: ['a'] })).outcome).toBe('502 provider_invalid_response');
});

test('a creator that has left since is 404', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.changeUser(userId, { agency_id: null });
  expect((await agency.api.patch(id, { display_name: 'New' })).outcome).toBe('404 not_found');
});

test('two concurrent changes are both kept', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked({ aliases: [], profiles });
  await Promise.all(['a', 'b', 'c'].map((alias) => agency.api.patch(id, { aliases: [alias] })));
  expect((await agency.api.creator(id)).aliases.toSorted()).toEqual(['a', 'b', 'c']);
});
