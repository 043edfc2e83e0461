import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const { platform } = service;

const accept = (id: string) => platform.control('PATCH', `/invitations/${id}`, { status: 'accepted' });
const withdrawals = async (id: string) => (await platform.effects()).withdrawals[id] ?? 0;
const statusOf = async (agency: Agency, id: string) => (await agency.api.creator(id)).enrollment_status;

test.each([
  ['pending', 'cancelled', async () => undefined],
  ['expired', 'cancelled', (id: string) => platform.control('PATCH', `/invitations/${id}`, { status: 'expired' })],
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
