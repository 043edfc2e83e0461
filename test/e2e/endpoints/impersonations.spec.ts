import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { refusedFields } from '../support/exchange.js';
import type { Impersonation, Page } from '../support/resources.js';
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
const typesOf = async (creatorId: string) => (await eventsOf(creatorId)).map(({ type }) => type);

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

test('keep their ids, and are ordered by them', async () => {
  const { id } = await withRecords(5);
  const ids = (await agency.api.impersonations(id)).map((shown) => shown.id);
  expect(ids).toEqual(ids.toSorted());
  expect((await agency.api.impersonations(id)).map((shown) => shown.id)).toEqual(ids);
  expect(new Set(ids).size).toBe(5);
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

test('a change of private fields alone shows only its time', async () => {
  const { id, nativeIds } = await withRecords(1);
  await firstPage(id);
  service.clock.advance(1);
  await change(String(nativeIds[0]), { private_notes: 'The client is suing.', recipient_contact: 'eve@example.com' });
  expect((await firstPage(id)).data).toMatchObject([{ status: 'open', updated_at: service.clock.now() }]);
  expect(JSON.stringify(await eventsOf(id))).not.toMatch(/suing|eve@/);
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

test('one that comes back is available again, and published as updated', async () => {
  const { id, nativeIds, userId } = await withRecords(1);
  const [nativeId = ''] = nativeIds;
  const [first] = (await firstPage(id)).data;
  service.clock.advance(1);
  await remove(nativeId);
  await firstPage(id);
  service.clock.advance(1);
  await agency.impersonations(userId, 1, { impersonation_id: nativeId });
  expect((await firstPage(id)).data).toMatchObject([{ id: first?.id, available: true }]);
  expect(await typesOf(id)).toEqual(['impersonation.created', 'impersonation.deleted', 'impersonation.updated']);
});

test('a later page shows what is known, and does not call the platform', async () => {
  const { id } = await withRecords(3);
  const first = await agency.api.got<Page<Impersonation>>(pathOf(id, '?limit=2'));
  const before = (await service.platform.calls('listImpersonations')).length;
  await agency.api.got(pathOf(id, `?limit=2&after=${first.next_cursor}`));
  expect(await service.platform.calls('listImpersonations')).toHaveLength(before);
});

test('the worker walks them together with the cases (D54)', async () => {
  const { id, nativeIds } = await withRecords(1);
  await service.pass(MINUTE);
  expect(await typesOf(id)).toEqual(['impersonation.created']);
  await remove(String(nativeIds[0]));
  await service.pass(15 * MINUTE);
  expect(await typesOf(id)).toEqual(['impersonation.created', 'impersonation.deleted']);
});

test('more records than a page of the platform holds are read to their end', async () => {
  const { id } = await withRecords(201);
  const found = await agency.api.impersonations(id);
  expect(found).toHaveLength(201);
  expect(found.every(({ available }) => available)).toBe(true);
});

test('ten concurrent reads create each impersonation once', async () => {
  const { id } = await withRecords(10);
  const pages = await Promise.all(Array.from({ length: 10 }, () => firstPage(id)));
  expect(new Set(pages.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  expect(await typesOf(id)).toEqual(Array.from({ length: 10 }, () => 'impersonation.created'));
});

test('a walk that breaks off removes nothing, and is reported (D36)', async () => {
  const { id, nativeIds } = await withRecords(2);
  await firstPage(id);
  service.clock.advance(1);
  await remove(String(nativeIds[0]));
  for (const [fault, outcome] of [
    [{ kind: 'status', status: 500 }, '503 provider_unavailable'],
    [{ kind: 'wrong_shape' }, '502 provider_invalid_response'],
    [{ kind: 'hang' }, '504 provider_timeout'],
  ] as const) {
    await service.platform.fault({ operation: 'listImpersonations', ...fault });
    expect((await agency.api.get(pathOf(id))).outcome).toBe(outcome);
    // Before the platform answers again: after a timeout the worker walks the creator as soon as it can (D80).
    expect(await typesOf(id)).not.toContain('impersonation.deleted');
    await service.platform.heal();
  }
});

test('an invited creator has no impersonations', async () => {
  const { id } = await agency.invited();
  expect(await firstPage(id)).toEqual({ data: [], next_cursor: null, simulated: false });
});

test.each(['?limit=0', '?limit=101', '?after=', '?after=imp_x', '?status=open'])('%s is 400', async (query) => {
  const { id } = await withRecords(0);
  expect(refusedFields(await agency.api.get(pathOf(id, query)))).toHaveLength(1);
});

test("another creator's impersonation is no cursor, nor is one that does not exist (D13)", async () => {
  const { id } = await withRecords(1);
  const other = await withRecords(1);
  const [foreign] = await agency.api.impersonations(other.id);
  for (const cursor of [foreign?.id, 'imp_00000000000000000000000000', id]) {
    expect(refusedFields(await agency.api.get(pathOf(id, `?after=${cursor}`)))).toEqual(['after']);
  }
});

test("another agency's, an unknown and a malformed creator are 404", async () => {
  const elsewhere = await withRecords(1, await service.agency());
  for (const id of [elsewhere.id, 'crt_00000000000000000000000000', 'nobody']) {
    expect((await agency.api.get(pathOf(id))).outcome).toBe('404 not_found');
  }
});

test('neither list nor events show those of a creator that has left', async () => {
  const { id, userId } = await withRecords(1);
  await firstPage(id);
  await agency.changeUser(userId, { agency_id: null });
  expect((await agency.api.get(pathOf(id))).outcome).toBe('404 not_found');
  expect(await eventsOf(id)).toEqual([]);
});

test('a page has 25 of them by default', async () => {
  const { id } = await withRecords(26);
  const { data, next_cursor } = await agency.api.got<Page<Impersonation>>(pathOf(id));
  expect([data.length, next_cursor]).toEqual([25, data.at(-1)?.id]);
});
