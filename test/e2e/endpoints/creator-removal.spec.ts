import { expect, test } from '@jest/globals';
import { HOUR, MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { refusedFields } from '../support/exchange.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const { platform } = service;

const accept = (id: string) => platform.control('POST', `/invitations/${id}/accept`, {});
const onboard = (id: string) => platform.control('POST', `/invitations/${id}/onboard`, { eligible: true });
const withdrawals = async (id: string) => (await platform.effects()).withdrawals[id] ?? 0;
const statusOf = async (agency: Agency, id: string) => (await agency.api.creator(id)).enrollment_status;

test.each([
  ['pending', 'cancelled', async () => undefined],
  ['expired', 'cancelled', (id: string) => platform.control('POST', `/invitations/${id}/expire`)],
  ['accepted', 'detached', accept],
])('a creator whose invitation is %s is removed: %s (D38)', async (_, status, happen) => {
  const agency = await service.agency();
  const creator = await agency.invited();
  await happen(creator.id);
  await service.pass(MINUTE);
  const removed = await agency.api.remove(creator.id);
  const { email_sent: _sent, ...shown } = creator;
  expect([removed.outcome, removed.body]).toEqual([
    '200',
    { ...shown, enrollment_status: status, identity_sync_pending: false },
  ]);
  expect(await statusOf(agency, creator.id)).toBe(status);
  expect(await withdrawals(creator.id)).toBe(1);
  const { type, data } = (await agency.api.events()).at(-1) ?? {};
  expect([type, data?.creator?.enrollment_status]).toEqual(['creator.updated', status]);
});

test('a repeat is 200 with the same creator, without a second effect or event, also for concurrent requests (D38)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  const first = await Promise.all(Array.from({ length: 5 }, () => agency.api.remove(id)));
  expect(new Set(first.map(({ outcome }) => outcome))).toEqual(new Set(['200']));
  const events = await agency.api.events();
  await platform.fault({ operation: 'withdrawInvitation', kind: 'status', status: 500 });
  const again = await agency.api.remove(id);
  expect([again.outcome, again.body]).toEqual(['200', first[0]?.body]);
  await service.pass(HOUR);
  expect(await agency.api.events()).toEqual(events);
  expect(await withdrawals(id)).toBe(1);
});

test('the record stays: it can be read, its external id is in use, and the same enrollment answers with it (D25, D38)', async () => {
  const agency = await service.agency();
  const body = agency.inviteBody({ external_id: 'ivy' });
  const creator = bodyOf<Creator>(await agency.api.enroll(body));
  await agency.api.remove(creator.id);
  const again = await agency.api.enroll(body);
  expect([again.outcome, again.body]).toEqual([
    '200',
    expect.objectContaining({ id: creator.id, enrollment_status: 'cancelled' }),
  ]);
  expect((await agency.api.enroll({ ...body, last_name: 'Oak' })).outcome).toBe('409 external_id_conflict');
  expect((await agency.api.protect(creator.id, 'active')).outcome).toBe('409 creator_invitation_pending');
});

test('a removed creator neither counts against the enrollment cap nor holds a slot (D31)', async () => {
  const agency = await service.agency({ slots: 1 });
  const creator = await agency.invited();
  expect((await agency.change({})).reserved_slots).toBe(1);
  expect((await agency.api.enroll(agency.inviteBody())).outcome).toBe('409 capacity_reached');
  await agency.api.remove(creator.id);
  expect((await agency.change({})).reserved_slots).toBe(0);
  expect((await agency.api.enroll(agency.inviteBody())).outcome).toBe('201');
});

test('a linked, imported or onboarded creator stays: creator_onboarding_completed (D38)', async () => {
  const agency = await service.agency();
  const linked = await agency.linked();
  const active = await agency.active();
  await agency.user();
  const invited = await agency.invited();
  await onboard(invited.id);
  await agency.api.roster();
  const known = await agency.api.roster();
  expect(known).toHaveLength(4);
  for (const { id } of known) {
    expect((await agency.api.remove(id)).outcome).toBe('409 creator_onboarding_completed');
  }
  expect(await agency.api.creator(active.id)).toMatchObject({ protection_status: 'active' });
  expect(await statusOf(agency, linked.id)).toBe('linked');
});

test('a creator whose onboarding the service has not seen yet is not removed, and is shown as onboarded immediately', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await onboard(id);
  expect((await agency.api.remove(id)).outcome).toBe('409 creator_onboarding_completed');
  const { type, data } = (await agency.api.events()).at(-1) ?? {};
  expect([type, data?.creator?.eligible]).toEqual(['creator.updated', true]);
});

test('a failed enrollment is cancelled without any call (D31)', async () => {
  const agency = await service.agency();
  const body = agency.inviteBody({ email: 'ivy@rejected.example', external_id: 'ivy' });
  expect((await agency.api.enroll(body)).outcome).toBe('400 invalid_request');
  const { id } = (await agency.api.events()).at(-1)?.data.creator ?? { id: '' };
  await platform.control('DELETE', '/calls');
  const removed = await agency.api.remove(id);
  expect([removed.outcome, removed.body]).toEqual([
    '200',
    expect.objectContaining({ enrollment_status: 'cancelled', invitation_id: null }),
  ]);
  expect(await platform.calls('withdrawInvitation', id)).toEqual([]);
  expect(await platform.calls('findInvitation', id)).toEqual([]);
  expect((await agency.api.enroll(body)).outcome).toBe('200');
  expect(await platform.calls('invite', id)).toEqual([]);
});

test('an uncertain invitation is looked up first, and withdrawn if it exists', async () => {
  const agency = await service.agency();
  await platform.fault({ operation: 'invite', kind: 'close_after', times: 1 });
  // The worker would settle it too.
  await platform.fault({ operation: 'findInvitation', kind: 'status', status: 503, times: 3 });
  const { id } = await agency.invited();
  await platform.heal();
  expect((await agency.api.remove(id)).body).toMatchObject({ enrollment_status: 'cancelled' });
  expect(await withdrawals(id)).toBe(1);
});

test('an uncertain invitation that is not found is 503, because a mail may still be sent', async () => {
  const agency = await service.agency();
  await platform.fault({ operation: 'invite', kind: 'close_before' });
  const { id } = await agency.invited();
  expect((await agency.api.remove(id)).outcome).toBe('503 provider_unavailable');
  expect(await statusOf(agency, id)).toBe('uncertain');
  await platform.heal();
  await service.passUntil(async () => expect(await statusOf(agency, id)).toBe('invited'));
  expect((await agency.api.remove(id)).body).toMatchObject({ enrollment_status: 'cancelled' });
});

test.each([
  ['breaks before it', { kind: 'close_before' }, '503 provider_unavailable'],
  ['breaks after it', { kind: 'close_after' }, '503 provider_unavailable'],
  ['fails after it', { kind: 'status', status: 500, effect: 'after' }, '503 provider_unavailable'],
  ['does not answer', { kind: 'hang', effect: 'after' }, '504 provider_timeout'],
  ['answers nonsense', { kind: 'wrong_shape' }, '502 provider_invalid_response'],
  ['refuses', { kind: 'refuse', status: 409, code: 'no' }, '502 provider_invalid_response'],
] as const)('withdrawing %s: an error, and the same again goes on from there', async (_, fault, outcome) => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await platform.fault({ operation: 'withdrawInvitation', ...fault });
  expect((await agency.api.remove(id)).outcome).toBe(outcome);
  await platform.heal();
  expect((await agency.api.remove(id)).body).toMatchObject({ enrollment_status: 'cancelled' });
  await service.pass(HOUR);
  expect([await withdrawals(id), await statusOf(agency, id)]).toEqual([1, 'cancelled']);
});

test('an invitation that the dashboard cancelled is removed without an error', async () => {
  const agency = await service.agency();
  const { id, invitation_id } = await agency.invited();
  const path = `/agencies/${agency.id}/invitations/${invitation_id}`;
  await fetch(platform.url + path, { method: 'DELETE', headers: { authorization: `Bearer ${platform.token}` } });
  expect((await agency.api.remove(id)).body).toMatchObject({ enrollment_status: 'cancelled' });
});

test('ids of others, malformed or unknown are 404; an earlier binding is creator_rebinding_required (D9, D21)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  const { api } = await service.agency();
  for (const wrong of [id, 'crt_1', 'crt_00000000000000000000000000', 'scn_00000000000000000000000000']) {
    expect((await api.remove(wrong)).outcome).toBe('404 not_found');
  }
  await agency.change({ owner_user_id: '6f2c7a53-2f0b-4c1e-9f43-6d2a4f0c8b11' });
  await agency.bind();
  const renewed = await agency.issueKey();
  expect((await renewed.api.remove(id)).outcome).toBe('409 creator_rebinding_required');
  expect(await withdrawals(id)).toBe(0);
});

test('it takes no body and no query (D7, D8)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  const path = `/v1/creators/${id}`;
  expect(refusedFields(await agency.api.write('DELETE', path, {}))).toEqual(['body']);
  expect(refusedFields(await agency.api.send('DELETE', `${path}?force=1`))).toEqual(['force']);
  expect((await agency.api.write('DELETE', path, { x: 'x'.repeat(16_384) })).outcome).toBe('413 payload_too_large');
  const other = { headers: { 'content-type': 'text/plain' }, body: 'x' };
  expect((await agency.api.send('DELETE', path, other)).outcome).toBe('415 unsupported_media_type');
  expect(await withdrawals(id)).toBe(0);
});
