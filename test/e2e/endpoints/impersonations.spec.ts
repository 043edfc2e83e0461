import { expect, test } from '@jest/globals';
import type { Impersonation, Page } from '#client';
import type { Agency } from '../support/agency.js';
import { refusedFields } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const agency = await service.agency();

const pathOf = (creatorId: string, query = '') => `/v1/creators/${creatorId}/impersonations${query}`;
const firstPage = (creatorId: string) => agency.api.got<Page<Impersonation>>(pathOf(creatorId, '?limit=100'));
const change = (id: string, to: object) => service.platform.control('PATCH', `/impersonations/${id}`, to);
const remove = (id: string) => service.platform.control('DELETE', `/impersonations/${id}`);

const withRecords = async (count: number, of: Agency = agency, given: object = {}) => {
  const creator = await of.linked();
  const nativeIds = count === 0 ? [] : await of.impersonations(creator.userId, count, given);
  return { ...creator, nativeIds };
};

const eventsOf = async (creatorId: string, of: Agency = agency) =>
  (await of.publishedEvents()).filter(
    ({ type, data }) => type.startsWith('impersonation.') && data.creator_id === creatorId,
  );

test('are shown as the platform records them, and private notes and contacts are not (D54)', async () => {
  const given = { platform: 'x', url: 'https://x.com/not_ivy', username: null, status: 'reported' };
  const { id } = await withRecords(1, agency, given);
  const answer = await agency.api.get(pathOf(id));
  expect(answer.body).toEqual({
    data: [
      {
        id: expect.stringMatching(/^imp_/),
        creator_id: id,
        ...given,
        created_at: service.clock.now(),
        updated_at: service.clock.now(),
        available: true,
        simulated: false,
      },
    ],
    next_cursor: null,
    simulated: false,
  });
  expect(JSON.stringify([answer.text, await eventsOf(id)])).not.toMatch(/night shift|abuse|private|recipient/);
});

test('are paged by the last id, each once', async () => {
  const { id } = await withRecords(5);
  const whole = (await agency.api.impersonations(id)).map((shown) => shown.id);
  expect((await agency.api.impersonations(id, 2)).map((shown) => shown.id)).toEqual(whole);
});

test('a first read publishes impersonation.created for each, historical ones included, with the shown fields (D56)', async () => {
  const { id } = await withRecords(2, agency, { created_at: 1_600_000_000_000 });
  const { data } = await firstPage(id);
  const events = await eventsOf(id);
  expect(events.map(({ type }) => type)).toEqual(['impersonation.created', 'impersonation.created']);
  for (const shown of data) {
    expect(events.map(({ data: announced }) => announced)).toContainEqual({
      creator_id: id,
      impersonation_id: shown.id,
      status: 'open',
      impersonation: shown,
    });
  }
});

test('a change is shown and published; an unchanged impersonation has no event', async () => {
  const { id, nativeIds } = await withRecords(1);
  await firstPage(id);
  await service.quiet();
  const { recorded } = service;
  await firstPage(id);
  expect(service.recorded).toBe(recorded);
  service.clock.advance(1);
  await change(String(nativeIds[0]), { status: 'removed' });
  const { data } = await firstPage(id);
  expect(data).toMatchObject([{ status: 'removed', available: true }]);
  expect((await eventsOf(id)).at(-1)).toMatchObject({
    type: 'impersonation.updated',
    data: { status: 'removed', impersonation: data[0] },
  });
});

test('one that is gone stays as unavailable, and is published once, with its ids only', async () => {
  const { id, nativeIds } = await withRecords(2);
  const before = await firstPage(id);
  service.clock.advance(1);
  await remove(String(nativeIds[0]));
  const { data } = await firstPage(id);
  expect(data.map((shown) => shown.id)).toEqual(before.data.map((shown) => shown.id));
  const [gone] = data.filter(({ available }) => !available);
  await firstPage(id);
  expect(
    (await eventsOf(id)).filter(({ type }) => type === 'impersonation.deleted').map(({ data: announced }) => announced),
  ).toEqual([{ creator_id: id, impersonation_id: gone?.id }]);
});

test('a later page shows what is known, and does not call the platform', async () => {
  const { id } = await withRecords(3);
  const first = await agency.api.got<Page<Impersonation>>(pathOf(id, '?limit=2'));
  const before = (await service.platform.calls('listImpersonations')).length;
  await agency.api.got(pathOf(id, `?limit=2&after=${first.next_cursor}`));
  expect(await service.platform.calls('listImpersonations')).toHaveLength(before);
});

test('an invited creator has no impersonations', async () => {
  const { id } = await agency.invited();
  expect(await firstPage(id)).toEqual({ data: [], next_cursor: null, simulated: false });
});

test("another creator's impersonation is no cursor, nor is one that does not exist (D13)", async () => {
  const { id } = await withRecords(1);
  const other = await withRecords(1);
  const [foreign] = await agency.api.impersonations(other.id);
  for (const cursor of [foreign?.id, 'imp_00000000000000000000000000', id]) {
    expect(refusedFields(await agency.api.get(pathOf(id, `?after=${cursor}`)))).toEqual(['after']);
  }
});
