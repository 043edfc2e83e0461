import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { refusedFields } from '../support/exchange.js';
import type { Activity, Page } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const agency = await service.agency();

const pathOf = (creatorId: string, query = '') => `/v1/creators/${creatorId}/activity${query}`;
const pageOf = (creatorId: string, query = '', of: Agency = agency) =>
  of.api.got<Page<Activity>>(pathOf(creatorId, query));

/** A creator one of whose leaks has a history of so many records, a minute apart. */
const withHistory = async (count: number, of: Agency = agency) => {
  const creator = await of.linked();
  const [leakId = ''] = await of.leaks(creator.userId, 1, { activity: false });
  for (let at = 0; at < count; at++) {
    const record = { leak_id: leakId, type: 'notice.sent', occurred_at: service.clock.now() - (count - at) * MINUTE };
    await service.platform.control('POST', `/creators/${creator.userId}/activity`, record);
  }
  return { ...creator, leakId };
};

test('lists detections, recorded notices and removals, newest first, as in the contract (D53)', async () => {
  const { id, userId } = await agency.linked();
  const [leakId = ''] = await agency.leaks(userId, 1, { status: 'Détecté', url: 'https://leaks.example/a' });
  for (const status_code of ['notice_sent', 'removed']) {
    service.clock.advance(MINUTE);
    await service.platform.control('PATCH', `/leaks/${leakId}`, { status_code });
  }
  const { data, next_cursor } = await pageOf(id);
  expect(next_cursor).toBeNull();
  expect(data.map(({ type }) => type)).toEqual(['leak.removed', 'notice.sent', 'leak.detected']);
  expect(data.map(({ occurred_at }) => occurred_at)).toEqual(
    data.map(({ occurred_at }) => occurred_at).toSorted((a, b) => b - a),
  );
  expect(data.at(-1)).toEqual({
    id: expect.any(String),
    type: 'leak.detected',
    occurred_at: expect.any(Number),
    timestamp_basis: 'recorded',
    leak_id: leakId,
    url: 'https://leaks.example/a',
    status: 'Détecté',
    status_code: 'detected',
    simulated: false,
  });
});

test('a status says that its time is that of its record, not of the change', async () => {
  const { id, userId, leakId } = await withHistory(0);
  const record = { leak_id: leakId, type: 'leak.status', occurred_at: service.clock.now() };
  await service.platform.control('POST', `/creators/${userId}/activity`, record);
  expect((await pageOf(id)).data).toMatchObject([{ type: 'leak.status', timestamp_basis: 'record_updated' }]);
});

test('has pages with opaque cursors up to its end, each record once', async () => {
  const { id } = await withHistory(7);
  const whole = (await pageOf(id, '?limit=100')).data.map((record) => record.id);
  const paged: string[] = [];
  const sizes: number[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: Page<Activity> = await pageOf(id, `?limit=3${after && `&after=${after}`}`);
    paged.push(...page.data.map((record) => record.id));
    sizes.push(page.data.length);
    after = page.next_cursor;
  }
  expect(paged).toEqual(whole);
  expect(sizes).toEqual([3, 3, 1]);
});

test('a page has 25 records by default', async () => {
  const { id } = await withHistory(26);
  const first = await pageOf(id);
  expect(first.data).toHaveLength(25);
  expect((await pageOf(id, `?after=${first.next_cursor}`)).data).toHaveLength(1);
});

test('a cursor is valid only for its creator, and not after a change of one character', async () => {
  const [mine, other] = [await withHistory(3), await withHistory(3)];
  const { next_cursor } = await pageOf(mine.id, '?limit=1');
  const cursor = String(next_cursor);
  const tampered = [
    cursor.slice(0, -1),
    cursor.slice(1),
    `${cursor}A`,
    cursor.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    cursor.slice(0, cursor.indexOf('.')),
    Buffer.from(`${mine.userId} 0`).toString('base64url'),
    mine.id,
    'x'.repeat(3_000),
  ];
  for (const after of tampered) {
    expect(refusedFields(await agency.api.get(pathOf(mine.id, `?after=${encodeURIComponent(after)}`)))).toEqual([
      'after',
    ]);
  }
  expect(refusedFields(await agency.api.get(pathOf(other.id, `?after=${cursor}`)))).toEqual(['after']);
  expect((await agency.api.get(pathOf(mine.id, `?after=${cursor}`))).outcome).toBe('200');
});

test('a cursor is valid after a restart', async () => {
  const { id } = await withHistory(2);
  const first = await pageOf(id, '?limit=1');
  await service.restart();
  const second = await pageOf(id, `?limit=1&after=${first.next_cursor}`);
  expect([second.data.length, second.next_cursor]).toEqual([1, null]);
});

test('is 502 where the cursors of the platform repeat (D80)', async () => {
  const { id } = await withHistory(2);
  const { activity } = service.services.native;
  const { listActivity } = activity;
  activity.listActivity = async (agencyId, userId, { limit }) => {
    const page = await listActivity(agencyId, userId, { limit });
    return page && { ...page, nextCursor: 'again' };
  };
  try {
    const { next_cursor } = await pageOf(id, '?limit=1');
    const again = await agency.api.get(pathOf(id, `?limit=1&after=${next_cursor}`));
    expect(again.outcome).toBe('502 provider_invalid_response');
  } finally {
    activity.listActivity = listActivity;
  }
});

test('an invited creator has no activity, and the platform is not called', async () => {
  const { id } = await agency.invited();
  const before = (await service.platform.calls('listActivity')).length;
  expect(await pageOf(id)).toEqual({ data: [], next_cursor: null, simulated: false });
  expect(await service.platform.calls('listActivity')).toHaveLength(before);
});

test.each(['?limit=0', '?limit=101', '?after=', '?cursor=x', '?limit=1&limit=1', '?type=notice.sent'])(
  '%s is 400',
  async (query) => {
    const { id } = await agency.linked();
    expect(refusedFields(await agency.api.get(pathOf(id, query)))).toHaveLength(1);
  },
);

test("another agency's, an unknown and a malformed creator are 404", async () => {
  const elsewhere = await withHistory(1, await service.agency());
  for (const id of [elsewhere.id, 'crt_00000000000000000000000000', 'nobody']) {
    expect((await agency.api.get(pathOf(id))).outcome).toBe('404 not_found');
  }
});

test('a creator that has left is 404 immediately, and hidden (D43)', async () => {
  const { id, userId } = await withHistory(1);
  await agency.changeUser(userId, { agency_id: null });
  expect((await agency.api.get(pathOf(id))).outcome).toBe('404 not_found');
  expect((await agency.api.events()).some(({ data }) => data.creator_id === id)).toBe(false);
});

test.each([
  [{ kind: 'status', status: 500 }, '503 provider_unavailable'],
  [{ kind: 'broken_json' }, '502 provider_invalid_response'],
  [{ kind: 'wrong_shape' }, '502 provider_invalid_response'],
  [{ kind: 'hang' }, '504 provider_timeout'],
])('a platform that fails with %j is reported, and nothing is served in its place (D36)', async (fault, outcome) => {
  const { id } = await withHistory(1);
  await pageOf(id);
  await service.platform.fault({ operation: 'listActivity', ...fault });
  expect((await agency.api.get(pathOf(id))).outcome).toBe(outcome);
});
