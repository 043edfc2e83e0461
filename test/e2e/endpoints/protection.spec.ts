import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { refusedFields } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService();

const slotChanges = async (userId: string) => (await service.platform.effects()).slots[userId] ?? 0;
const occupied = async (agency: Agency) => (await agency.change({})).occupied_slots;
const protectionEvents = async (agency: Agency) =>
  (await agency.publishedEvents()).filter(({ type }) => type.startsWith('protection.')).map(({ type }) => type);

test('activation occupies a slot and shows active; pausing releases it and shows paused', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const activated = await agency.api.protect(id, 'active');
  expect([activated.outcome, activated.body]).toEqual([
    '200',
    expect.objectContaining({ protection_status: 'active' }),
  ]);
  expect(await occupied(agency)).toBe(1);
  expect((await agency.api.protect(id, 'paused')).body).toMatchObject({ protection_status: 'paused' });
  expect([await occupied(agency), await slotChanges(userId)]).toEqual([0, 2]);
  expect((await agency.api.protect(id, 'active')).body).toMatchObject({ protection_status: 'active' });
  expect(await protectionEvents(agency)).toEqual(['protection.activated', 'protection.paused', 'protection.activated']);
});

test('activating while active is 200, nothing is re-checked, no event, no second slot (D41)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await agency.changeUser(userId, { eligible: false });
  await service.platform.fault({ operation: 'getNativeCreator', kind: 'status', status: 500 });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
  expect(await slotChanges(userId)).toBe(1);
  expect(await protectionEvents(agency)).toEqual(['protection.activated']);
});

test.each(['not_activated', 'paused'])('pausing from %s is 200, unchanged, no event (D41)', async (from) => {
  const agency = await service.agency();
  const { id } = from === 'paused' ? await agency.active() : await agency.linked();
  if (from === 'paused') await agency.api.protect(id, 'paused');
  const events = await protectionEvents(agency);
  const paused = await agency.api.protect(id, 'paused');
  expect([paused.outcome, paused.body]).toEqual(['200', expect.objectContaining({ protection_status: from })]);
  expect(await protectionEvents(agency)).toEqual(events);
});

test.each([
  [{ status: 'on' }, 'status'],
  [{ status: null }, 'status'],
  [{}, 'status'],
  [{ status: 'not_activated' }, 'status'],
  [{ status: 'active', force: true }, 'force'],
])('the body %j is 400', async (body, field) => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  expect(refusedFields(await agency.api.write('PUT', `/v1/creators/${id}/protection`, body))).toEqual([field]);
});

test('the order of the gates is invitation pending, eligible, capacity (D42)', async () => {
  const agency = await service.agency({ slots: 2 });
  const invited = await agency.invited();
  await agency.change({ dashboard_slots: 1 });
  const { id, userId } = await agency.linked({ eligible: false });
  expect((await agency.api.protect(invited.id, 'active')).outcome).toBe('409 creator_invitation_pending');
  expect((await agency.api.protect(id, 'active')).outcome).toBe('409 creator_not_eligible');
  await agency.changeUser(userId, { eligible: true });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('409 capacity_reached');
  await agency.change({ dashboard_slots: 0 });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
});

test('activation reads eligibility again', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.changeUser(userId, { authorization: 'rejected' });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('409 creator_not_eligible');
  expect(await slotChanges(userId)).toBe(0);
  await agency.changeUser(userId, { authorization: 'approved' });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
});

test('a refused capacity leaves nothing behind: no slot, no event, and it can be tried again', async () => {
  const agency = await service.agency({ slots: 1 });
  const first = await agency.active();
  const second = await agency.linked();
  expect((await agency.api.protect(second.id, 'active')).outcome).toBe('409 capacity_reached');
  expect(await agency.api.creator(second.id)).toMatchObject({ protection_status: 'not_activated' });
  expect((await agency.api.protect(first.id, 'paused')).outcome).toBe('200');
  expect((await agency.api.protect(second.id, 'active')).outcome).toBe('200');
  expect(await occupied(agency)).toBe(1);
});

test('acceptance, approval and changes in the dashboard neither activate nor resume protection', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked({ authorization: 'pending' });
  const paused = await agency.active();
  await agency.api.protect(paused.id, 'paused');
  await agency.changeUser(paused.userId, { authorization: 'rejected', display_name: 'Renamed' });
  await service.pass(10 * MINUTE);
  for (const user of [userId, paused.userId]) await agency.changeUser(user, { authorization: 'approved' });
  await service.pass(10 * MINUTE);
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'not_activated', eligible: true });
  expect(await agency.api.creator(paused.id)).toMatchObject({ protection_status: 'paused', eligible: true });
});

test('losing mandate or entitlement does not pause (D43)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await agency.changeUser(userId, { eligible: false });
  await service.pass(10 * MINUTE);
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active', eligible: false });
  expect(await occupied(agency)).toBe(1);
});

test('an imported creator can be activated', async () => {
  const agency = await service.agency();
  await agency.user();
  const [{ id = '' } = {}] = await agency.api.roster();
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
});

test('after ten concurrent activations and pauses slot and status agree (D42)', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  const wishes = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 'active' : 'paused'));
  const answers = await Promise.all(wishes.map((status) => agency.api.protect(id, status as 'active' | 'paused')));
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['200']));
  await service.pass(MINUTE);
  const { protection_status } = await agency.api.creator(id);
  expect(await occupied(agency)).toBe(protection_status === 'active' ? 1 : 0);
});
