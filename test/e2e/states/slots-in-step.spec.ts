import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import { SandboxClient } from '../../../apps/platform-sandbox/src/index.js';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const EVERY = 5 * MINUTE;
const service = await startService();
const { platform } = service;

const occupied = async (agency: Agency) => (await agency.change({})).occupied_slots;
const unknownSlots = async () => {
  const metrics = await service.services.metrics.registry.metrics();
  return Number(/^platform_slots_unknown_total (\d+)$/m.exec(metrics)?.[1]);
};

test('a slot that the dashboard has released is occupied again, and nothing is announced (D90)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  const events = await agency.publishedEvents();
  await agency.changeUser(userId, { api_slot: false });
  expect(await occupied(agency)).toBe(0);
  await service.pass(EVERY);
  expect(await occupied(agency)).toBe(1);
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
  expect(await agency.publishedEvents()).toEqual(events);
});

test('one that another creator has taken in the meantime is lost: protection pauses (D90)', async () => {
  const agency = await service.agency({ slots: 1 });
  const { id, userId } = await agency.active();
  await agency.changeUser(userId, { api_slot: false });
  await agency.change({ dashboard_slots: 1 });
  await service.pass(EVERY);
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'paused' });
  const paused = (await agency.publishedEvents()).filter(({ type }) => type === 'protection.paused');
  expect(paused.map(({ data }) => data.reason)).toEqual(['slot_lost']);
});

test('a slot that is held for a paused creator is released (D90)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await agency.api.protect(id, 'paused');
  await agency.changeUser(userId, { api_slot: true });
  expect(await occupied(agency)).toBe(1);
  await service.pass(EVERY);
  expect(await occupied(agency)).toBe(0);
});

test('a slot of somebody whom the log does not know is counted, and stays (D90)', async () => {
  const agency = await service.agency();
  const before = await unknownSlots();
  await agency.user({ onboarding_complete: false, api_slot: true });
  await service.pass(EVERY);
  expect(await unknownSlots()).toBeGreaterThan(before);
  expect(await occupied(agency)).toBe(1);
});

test('a platform that does not answer with its list holds nothing up (D90)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await platform.fault({ operation: 'listSlots', kind: 'status', status: 501 });
  const { userId } = await agency.linked();
  await agency.changeUser(userId, { display_name: 'Another Name' });
  await service.pass(EVERY);
  await platform.heal();
  expect(await occupied(agency)).toBe(1);
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
});

test('a creator is activated although the platform has seen a later fence, as after a restored backup (D90)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const path = `/agencies/${agency.id}/slots/${userId}`;
  const client = new SandboxClient(platform);
  await client.slot('PUT', path, 4_000_000_000_000_000);
  await client.slot('DELETE', path, 4_000_000_000_000_000);
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
  expect(await occupied(agency)).toBe(1);
  await agency.api.protect(id, 'paused');
  expect(await occupied(agency)).toBe(0);
});
