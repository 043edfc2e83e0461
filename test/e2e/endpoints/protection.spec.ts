import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const { platform } = service;
const slotChanges = async (userId: string) => (await platform.effects()).slots[userId] ?? 0;
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

const UNKNOWN = [
  ['breaks the connection before it', { kind: 'close_before' }, '503 provider_unavailable'],
  ['breaks the connection after it', { kind: 'close_after' }, '503 provider_unavailable'],
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

test('a slot of a user that the log does not know is counted, and stays (D90)', async () => {
  const { registry } = service.services.metrics;
  const counted = async () => (await registry.getSingleMetric('platform_slots_unknown_total')?.get())?.values[0]?.value;
  const agency = await service.agency();
  const before = Number(await counted());
  await agency.user({ onboarding_complete: false, api_slot: true });
  await service.pass(5 * MINUTE);
  expect(await counted()).toBeGreaterThan(before);
  expect(await occupied(agency)).toBe(1);
});
