import { expect, test } from '@jest/globals';
import { HOUR } from '#kernel';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });

const iso = (at: number) => new Date(at).toISOString();

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

test.each([
  ['mandate withdrawn', { authorization: 'rejected' }, { approved: false, status: 'rejected' }, { active: true }],
  ['mandate pending', { authorization: 'pending' }, { approved: false, status: 'pending' }, { active: true }],
  ['entitlement lost', { entitlement: 'none' }, { approved: true }, { active: false, source: 'none' }],
  ['mandate without a word', { authorization: { approved: false } }, { approved: false }, { active: true }],
])('%s: not eligible (D40)', async (_, change, authorization, entitlement) => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.changeUser(userId, change);
  expect(await agency.api.creator(id)).toMatchObject({ authorization, entitlement, eligible: false });
});

test('a mandate ends by the clock, even if the platform still shows it (D11, D40)', async () => {
  const agency = await service.agency();
  const end = service.clock.now() + HOUR;
  const authorization = { approved: true, status: 'approved', expires_at: iso(end) };
  const { id } = await agency.linked({ authorization });
  service.clock.advance(HOUR - 1);
  expect(await agency.api.creator(id)).toMatchObject({ authorization, eligible: true });
  service.clock.advance(1);
  expect(await agency.api.creator(id)).toMatchObject({
    authorization: { approved: false, expires_at: iso(end) },
    eligible: false,
  });
  await service.quiet();
});

test('a creator with a renewed mandate is eligible again (D40)', async () => {
  const agency = await service.agency();
  const soon = { approved: true, status: 'approved', expires_at: iso(service.clock.now() + HOUR) };
  const { id, userId } = await agency.linked({ authorization: soon });
  await service.pass(HOUR);
  await agency.changeUser(userId, { authorization: { ...soon, expires_at: iso(service.clock.now() + HOUR) } });
  expect(await agency.api.creator(id)).toMatchObject({ authorization: { approved: true }, eligible: true });
});

test('an invitee that has accepted waits for onboarding, and shows what was submitted (D30)', async () => {
  const agency = await service.agency();
  const submitted = { display_name: 'Submitted', aliases: ['s'], profile_urls: ['https://x.com/s'] };
  const { id } = await agency.invited(submitted);
  await service.platform.control('POST', `/invitations/${id}/accept`);
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
  const { user_id } = await service.platform.control<{ user_id: string }>('POST', `/invitations/${id}/onboard`, {
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

test('identity_sync_pending stays until the identity was written, however often that fails (D30)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await service.platform.fault({ operation: 'updateIdentity', match: { agency_id: agency.id }, kind: 'close_before' });
  await service.platform.control('POST', `/invitations/${id}/onboard`, { eligible: true });
  expect(await agency.api.creator(id)).toMatchObject({ identity_sync_pending: true, enrollment_status: 'linked' });
  await service.quiet();
  expect(await agency.api.creator(id)).toMatchObject({ identity_sync_pending: true });
  await service.platform.heal();
  const written = async () => expect(await agency.api.creator(id)).toMatchObject({ identity_sync_pending: false });
  await service.passUntil(written);
});

test('the worker sees acceptance and onboarding without anyone reading (D30)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await service.platform.control('POST', `/invitations/${id}/onboard`, { eligible: true });
  await service.pass(30_000);
  await service.pass(5 * 60_000);
  const types = (await agency.publishedEvents()).map(({ data }) => data.creator?.enrollment_status);
  expect(types[0]).toBe('invited');
  expect(types.at(-1)).toBe('linked');
});

test.each([
  ['getNativeCreator', 'linked'],
  ['getInvitation', 'invited'],
] as const)(
  'a read that the platform fails is its failure, nothing stale in its place: %s (D36)',
  async (operation, made) => {
    const agency = await service.agency();
    const { id } = await agency[made]();
    const fault = (kind: string, status?: number) =>
      service.platform.fault({ operation, kind, match: { agency_id: agency.id }, ...(status && { status }) });
    for (const [kind, status, outcome] of [
      ['close_before', undefined, '503 provider_unavailable'],
      ['status', 500, '503 provider_unavailable'],
      ['broken_json', undefined, '502 provider_invalid_response'],
      ['wrong_shape', undefined, '502 provider_invalid_response'],
      ['hang', undefined, '504 provider_timeout'],
    ] as const) {
      await fault(kind, status);
      expect((await agency.api.get(`/v1/creators/${id}`)).outcome).toBe(outcome);
      await service.platform.heal();
    }
    expect((await agency.api.get(`/v1/creators/${id}`)).outcome).toBe('200');
  },
);
