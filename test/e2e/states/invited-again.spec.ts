import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const EVERY = 5 * MINUTE;
const service = await startService();
const { platform } = service;

/** An active creator whose membership has ended. */
const former = async (agency: Agency) => {
  const creator = await agency.active();
  await agency.changeUser(creator.userId, { agency_id: null });
  await service.pass(EVERY);
  await service.pass(EVERY);
  return creator;
};

const onboard = (invitedId: string, userId: string) =>
  platform.control('POST', `/invitations/${invitedId}/onboard`, { user_id: userId, eligible: true });

test('a creator that left, is invited again and accepts with the old account stays one creator, billed once (D74)', async () => {
  const agency = await service.agency();
  const { id, userId, external_id } = await former(agency);
  const invited = await agency.invited();
  await onboard(invited.id, userId);
  await service.pass(EVERY);

  expect(await agency.api.roster()).toMatchObject([{ id, external_id, svc_user_id: userId, display_name: 'Ivy Vale' }]);
  expect(await agency.api.creator(invited.id)).toMatchObject({
    external_id: invited.external_id,
    enrollment_status: 'detached',
    svc_user_id: null,
    eligible: false,
  });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
  expect((await agency.api.protect(invited.id, 'active')).outcome).toBe('409 creator_invitation_pending');
  expect((await agency.api.remove(invited.id)).outcome).toBe('200');
  await service.pass(MINUTE);
  expect(await agency.api.got('/v1/usage')).toMatchObject({ active_creator_count: 1 });
  const other = agency.inviteBody({ external_id: invited.external_id, display_name: 'Somebody' });
  expect((await agency.api.enroll(other)).outcome).toBe('409 external_id_conflict');
});

test('if a read of the roster finds it first, the outcome is the same, with one creator in the roster (D74)', async () => {
  const agency = await service.agency();
  const { id, userId } = await former(agency);
  const invited = await agency.invited();
  await onboard(invited.id, userId);
  expect((await agency.api.roster()).map((creator) => creator.id)).toEqual([id]);
  expect(await agency.api.creator(invited.id)).toMatchObject({ enrollment_status: 'detached' });
});

test('a member of the roster that accepts an invitation keeps its API creator (D74)', async () => {
  const agency = await service.agency();
  const userId = await agency.user();
  const [imported] = await agency.api.roster();
  const invited = await agency.invited();
  await onboard(invited.id, userId);
  expect(await agency.api.creator(invited.id)).toMatchObject({ enrollment_status: 'detached' });
  expect(await agency.api.roster()).toMatchObject([{ id: imported?.id, external_id: `svc:${userId}` }]);
});
