import { expect, test } from '@jest/globals';
import type { Activity, Page } from '#client';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const agency = await service.agency();

const pathOf = (creatorId: string, query = '') => `/v1/creators/${creatorId}/activity${query}`;
const pageOf = (creatorId: string, query = '', of: Agency = agency) =>
  of.api.got<Page<Activity>>(pathOf(creatorId, query));

/** A creator with a leak whose history has this many records, a minute apart. */
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

test('has pages with opaque cursors up to its end, each record once, after a restart too (D53, D85)', async () => {
  const { id } = await withHistory(7);
  const whole = (await pageOf(id, '?limit=100')).data.map((record) => record.id);
  const paged: string[] = [];
  const sizes: number[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: Page<Activity> = await pageOf(id, `?limit=3${after && `&after=${after}`}`);
    paged.push(...page.data.map((record) => record.id));
    sizes.push(page.data.length);
    after = page.next_cursor;
    if (sizes.length === 1) await service.restart();
  }
  expect(paged).toEqual(whole);
  expect(sizes).toEqual([3, 3, 1]);
});

test('an invited creator has no activity, and the platform is not called', async () => {
  const { id } = await agency.invited();
  const before = (await service.platform.calls('listActivity')).length;
  expect(await pageOf(id)).toEqual({ data: [], next_cursor: null, simulated: false });
  expect(await service.platform.calls('listActivity')).toHaveLength(before);
});
