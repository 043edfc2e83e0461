import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const EVERY = 5 * MINUTE;
const service = await startService();
const { platform } = service;

const occupied = async (agency: Agency) => (await agency.change({})).occupied_slots;

/** An active creator that a read found missing, and that the agency has again: without its slot. */
const returned = async (agency: Agency) => {
  const creator = await agency.active();
  await agency.changeUser(creator.userId, { agency_id: null });
  expect((await agency.api.get(`/v1/creators/${creator.id}`)).outcome).toBe('404 not_found');
  await agency.changeUser(creator.userId, { agency_id: agency.id });
  expect(await occupied(agency)).toBe(0);
  return creator;
};

const reads: [string, (agency: Agency, id: string) => Promise<{ readonly outcome: string }>][] = [
  ['a read', (agency, id) => agency.api.get(`/v1/creators/${id}`)],
  ['a page of the roster', (agency) => agency.api.get('/v1/creators')],
];

test.each(reads)('an active creator that was missing has its slot again when %s shows it (D77)', async (_how, read) => {
  const agency = await service.agency({ slots: 1 });
  const { id } = await returned(agency);
  expect((await read(agency, id)).outcome).toBe('200');
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
  expect(await occupied(agency)).toBe(1);
  const other = await agency.linked();
  expect((await agency.api.protect(other.id, 'active')).outcome).toBe('409 capacity_reached');
});

test('one whose slot another creator has taken is paused, with the reason slot_lost (D77)', async () => {
  const agency = await service.agency({ slots: 1 });
  const { id } = await returned(agency);
  await agency.active();
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'paused', eligible: true });
  expect(await occupied(agency)).toBe(1);
  const paused = (await agency.publishedEvents()).filter(({ type }) => type === 'protection.paused');
  expect(paused.map(({ data }) => [data.creator_id, data.reason])).toEqual([[id, 'slot_lost']]);
});

test.each(reads)(
  '%s is 503 or 504 while the outcome is unknown, and the worker settles it (D77)',
  async (_how, read) => {
    const agency = await service.agency({ slots: 1 });
    const { id, userId } = await returned(agency);
    await platform.fault({ operation: 'occupySlot', match: { user_id: userId }, kind: 'status', status: 500 });
    expect((await read(agency, id)).outcome).toMatch(/^50[34] provider_/);
    await platform.heal();
    await service.pass(EVERY);
    expect(await occupied(agency)).toBe(1);
    expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'active' });
  },
);
