import { expect, test } from '@jest/globals';
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
