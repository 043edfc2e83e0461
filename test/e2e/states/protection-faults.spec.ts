import { expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import type { Agency } from '../support/agency.js';
import { eventually } from '../support/eventually.js';
import { GIVEN_UP_AFTER } from '../support/service.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const { platform } = service;

const occupied = async (agency: Agency) => (await agency.change({})).occupied_slots;
const slotChanges = async (userId: string) => (await platform.effects()).slots[userId] ?? 0;
const protectionEvents = async (agency: Agency) =>
  (await agency.publishedEvents()).filter(({ type }) => type.startsWith('protection.')).map(({ type }) => type);

const UNKNOWN = [
  ['breaks the connection before it', { kind: 'close_before' }, '503 provider_unavailable'],
  ['breaks the connection after it', { kind: 'close_after' }, '503 provider_unavailable'],
  ['answers 500 before it', { kind: 'status', status: 500 }, '503 provider_unavailable'],
  ['answers 500 after it', { kind: 'status', status: 500, effect: 'after' }, '503 provider_unavailable'],
  ['does not answer, without it', { kind: 'hang' }, '504 provider_timeout'],
  ['does not answer, with it', { kind: 'hang', effect: 'after' }, '504 provider_timeout'],
] as const;

test.each(UNKNOWN)(
  'activating, the platform %s: repeatable, and then one slot and one event (D42)',
  async (_, fault, outcome) => {
    const agency = await service.agency();
    const { id, userId } = await agency.linked();
    await platform.fault({ operation: 'occupySlot', times: 1, ...fault });
    expect((await agency.api.protect(id, 'active')).outcome).toBe(outcome);
    expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'not_activated' });
    expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
    await service.pass(MINUTE);
    expect([await occupied(agency), await slotChanges(userId)]).toEqual([1, 1]);
    expect(await protectionEvents(agency)).toEqual(['protection.activated']);
  },
);

test.each(UNKNOWN)(
  'activating, the platform %s: left unsettled it is abandoned after 30 seconds, its slot given back (D42)',
  async (_, fault, outcome) => {
    const agency = await service.agency();
    const { id } = await agency.linked();
    await platform.fault({ operation: 'occupySlot', times: 1, ...fault });
    expect((await agency.api.protect(id, 'active')).outcome).toBe(outcome);
    const taken = await occupied(agency);
    await service.pass(29 * SECOND);
    expect(await occupied(agency)).toBe(taken);
    await service.pass(SECOND);
    await service.pass(SECOND);
    expect(await occupied(agency)).toBe(0);
    expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'not_activated' });
    expect(await protectionEvents(agency)).toEqual([]);
    expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
  },
);

test('a pause settles an activation whose outcome is unknown: no slot, no event (D42)', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  await platform.fault({ operation: 'occupySlot', kind: 'close_after', times: 1 });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('503 provider_unavailable');
  const paused = await agency.api.protect(id, 'paused');
  expect(paused.body).toMatchObject({ protection_status: 'not_activated' });
  await service.pass(MINUTE);
  expect(await occupied(agency)).toBe(0);
  expect(await protectionEvents(agency)).toEqual([]);
});

test('a slot that is refused for another reason is 502, and none stays occupied', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  await platform.fault({ operation: 'occupySlot', kind: 'refuse', status: 409, code: 'frozen', times: 1 });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('502 provider_invalid_response');
  await service.pass(MINUTE);
  expect(await occupied(agency)).toBe(0);
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
});

test('a creator that left just before its slot was asked for is 404', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  await platform.fault({ operation: 'occupySlot', kind: 'refuse', status: 404, code: 'not_found', times: 1 });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('404 not_found');
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'not_activated' });
});

test.each([
  ['breaks the connection before it', { kind: 'close_before' }],
  ['breaks the connection after it', { kind: 'close_after' }],
  ['answers 500', { kind: 'status', status: 500 }],
  ['does not answer', { kind: 'hang' }],
  ['refuses', { kind: 'refuse', status: 409, code: 'frozen' }],
])('pausing, the platform %s: still 200, and the worker gives the slot back (D42)', async (_, fault) => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await platform.fault({ operation: 'releaseSlot', ...fault });
  const paused = await agency.api.protect(id, 'paused');
  expect([paused.outcome, paused.body]).toEqual(['200', expect.objectContaining({ protection_status: 'paused' })]);
  expect(await protectionEvents(agency)).toEqual(['protection.activated', 'protection.paused']);
  await service.pass(5 * SECOND);
  await platform.heal();
  await service.pass(MINUTE);
  expect([await occupied(agency), await slotChanges(userId)]).toEqual([0, 2]);
});

test('activating again before the slot is released keeps it (D42)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await platform.fault({ operation: 'releaseSlot', kind: 'close_before' });
  await agency.api.protect(id, 'paused');
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
  await platform.heal();
  await service.pass(5 * MINUTE);
  expect(await occupied(agency)).toBe(1);
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
});

test('a late release does not release the slot of a later activation (D42)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await platform.fault({ operation: 'releaseSlot', kind: 'delay', delay_ms: 200, times: 1 });
  const answers = await Promise.all([agency.api.protect(id, 'paused'), agency.api.protect(id, 'active')]);
  expect(answers.map(({ outcome }) => outcome)).toEqual(['200', '200']);
  await service.pass(MINUTE);
  const { protection_status } = await agency.api.creator(id);
  expect(await occupied(agency)).toBe(protection_status === 'active' ? 1 : 0);
});

test.each([
  ['that got no answer', 0],
  ['that got no answer before another one did', SECOND],
])('a release %s takes nothing when it arrives after a new activation (D90)', async (_which, untilThen) => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await platform.fault({ operation: 'releaseSlot', kind: 'delay', delay_ms: 3 * GIVEN_UP_AFTER, times: 1 });
  expect((await agency.api.protect(id, 'paused')).outcome).toBe('200');
  await service.pass(untilThen);
  expect((await agency.api.protect(id, 'active')).body).toMatchObject({ protection_status: 'active' });
  const stale = expect.objectContaining({ refusal: 'stale_fence' });
  await eventually(async () => expect(await platform.calls('releaseSlot')).toContainEqual(stale));
  expect(await occupied(agency)).toBe(1);
  await service.pass(MINUTE);
  expect(await occupied(agency)).toBe(1);
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
  const types = ['protection.activated', 'protection.paused', 'protection.activated'];
  expect(await protectionEvents(agency)).toEqual(types);
});

test('a slot that the dashboard holds is neither occupied twice nor released', async () => {
  const agency = await service.agency();
  const { id } = await agency.active({ dashboard_slot: true });
  expect(await occupied(agency)).toBe(1);
  await agency.api.protect(id, 'paused');
  expect(await occupied(agency)).toBe(1);
});
