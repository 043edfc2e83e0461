import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import type { ApiClient } from '../support/api-client.js';
import { startService } from '../support/start-service.js';

const service = await startService();

/** The agency's next owner binds it and issues a key. */
const transferOwnership = async (agency: Agency): Promise<ApiClient> => {
  await agency.change({ owner_user_id: crypto.randomUUID() });
  await agency.bind();
  return (await agency.issueKey()).api;
};

test('after a change of owner: denied until bound, then the old key is denied and a new one works (D19)', async () => {
  const agency = await service.agency();
  await agency.change({ owner_user_id: crypto.randomUUID() });
  expect((await agency.api.get('/v1/me')).outcome).toBe('403 agency_owner_changed');
  expect((await agency.bind()).epoch).toBe(2);
  expect((await agency.api.get('/v1/me')).outcome).toBe('403 agency_key_reissue_required');
  expect((await (await agency.issueKey()).api.get('/v1/me')).outcome).toBe('200');
});

test('binding to the same owner changes nothing: the epoch stays, and keys still work (D19)', async () => {
  const agency = await service.agency();
  expect((await agency.bind()).epoch).toBe(1);
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
});

test('an agency keeps its one workspace over all bindings (D22)', async () => {
  const agency = await service.agency();
  const before = await agency.api.got(`/v1/workspaces/${agency.workspaceId}`);
  const api = await transferOwnership(agency);
  expect(await api.got(`/v1/workspaces/${agency.workspaceId}`)).toEqual(before);
});

test.each([
  ['incomplete', { onboarding_complete: false }, 'agency_account_required'],
  ['not approved', { kyc_status: 'pending' }, 'agency_kyc_required'],
])('an agency whose verification is %s cannot be bound (D19)', async (_, change, code) => {
  const agency = await service.agency();
  await agency.change({ owner_user_id: crypto.randomUUID(), ...change });
  await expect(agency.bind()).rejects.toThrow(code);
});

test('creators of an earlier binding can be read and not written (D21)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const api = await transferOwnership(agency);
  expect((await api.get(`/v1/creators/${id}`)).outcome).toBe('200');
  expect((await api.get(`/v1/creators/${id}/cases`)).outcome).toBe('200');
  expect((await api.patch(id, { display_name: 'New' })).outcome).toBe('409 creator_rebinding_required');
  for (const status of ['active', 'paused'] as const) {
    expect((await api.protect(id, status)).outcome).toBe('409 creator_rebinding_required');
  }
  expect((await api.queueScan(id, 'k')).outcome).toBe('409 creator_rebinding_required');
});

test('the rebinding gate comes before eligibility and the pending invitation (D42, D46)', async () => {
  const agency = await service.agency();
  const invited = await agency.invited();
  const unfit = await agency.linked({ eligible: false });
  const api = await transferOwnership(agency);
  expect((await api.protect(invited.id, 'active')).outcome).toBe('409 creator_rebinding_required');
  expect((await api.protect(unfit.id, 'active')).outcome).toBe('409 creator_rebinding_required');
  expect((await api.queueScan(unfit.id, 'k')).outcome).toBe('409 creator_rebinding_required');
});

test('a roster read under the new binding rebinds the creators that it shows (D21)', async () => {
  const agency = await service.agency();
  const [first = '', second = ''] = await agency.users(2);
  const { id: shown } = (await agency.api.enroll(agency.linkBody(first))).body as { id: string };
  const { id: beyond } = (await agency.api.enroll(agency.linkBody(second))).body as { id: string };
  const api = await transferOwnership(agency);
  expect((await api.get('/v1/creators?limit=1')).outcome).toBe('200');
  expect((await api.protect(shown, 'active')).outcome).toBe('200');
  expect((await api.protect(beyond, 'active')).outcome).toBe('409 creator_rebinding_required');
});

test('a matching enrollment under the new binding rebinds, a different one conflicts (D21)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const api = await transferOwnership(agency);
  const changed = agency.linkBody(userId, { display_name: 'Other' });
  expect((await api.enroll(changed)).outcome).toBe('409 external_id_conflict');
  expect((await api.protect(id, 'active')).outcome).toBe('409 creator_rebinding_required');
  expect((await api.enroll(agency.linkBody(userId))).outcome).toBe('200');
  expect((await api.protect(id, 'active')).outcome).toBe('200');
});

test.each<[string, (api: ApiClient, id: string) => Promise<{ readonly outcome: string }>]>([
  ['cancels', (api, id) => api.send('DELETE', `/v1/creators/${id}`)],
  ['resends', (api, id) => api.resendInvitation(id, 'k')],
])('a new owner who has read an invitee %s its invitation (D21)', async (_, write) => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  const api = await transferOwnership(agency);
  expect((await write(api, id)).outcome).toBe('409 creator_rebinding_required');
  expect((await api.get(`/v1/creators/${id}`)).outcome).toBe('200');
  expect((await write(api, id)).outcome).toBe('200');
});

test('a matching enrollment rebinds an invitee too, without a second mail (D21)', async () => {
  const agency = await service.agency();
  const body = agency.inviteBody();
  const { id } = (await agency.api.enroll(body)).body as { id: string };
  const api = await transferOwnership(agency);
  expect((await api.enroll(body)).outcome).toBe('200');
  expect((await api.patch(id, { display_name: 'New' })).outcome).toBe('409 creator_invitation_pending');
  expect((await service.platform.effects()).mails[id]).toBe(1);
});

test("the worker's own synchronization does not rebind (D21)", async () => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  const api = await transferOwnership(agency);
  await service.pass(10 * MINUTE);
  expect((await api.protect(id, 'active')).outcome).toBe('409 creator_rebinding_required');
});
