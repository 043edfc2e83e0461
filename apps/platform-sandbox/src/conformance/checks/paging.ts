import { isDeepStrictEqual } from 'node:util';
import type { Activity, Leak, NativeCreator } from '../../contract/types.js';
import { type Check, check, type Discovery } from '../check.js';
import { equal, expect, Skipped, walk } from '../contract-client.js';

const LISTS = ['listRoster', 'listSlots', 'listLeaks', 'listImpersonations', 'listActivity'] as const;
const BAD_LIMITS = ['0', '-1', '201', '1.5', 'many'];
/** Enough to span several pages of two, without reading a large agency two records at a time. */
const MAX_RECORDS_READ = 40;

export const pagingChecks: readonly Check[] = [
  ...LISTS.flatMap((id) => [
    check(`${id} gives at most as many records as its limit says`, async ({ client, discovery }) => {
      const path = await pathOf(id, discovery);
      for (const limit of [1, 200]) {
        const { data } = await client.get<{ data: unknown[] }>(id, 200, { path, query: { limit } });
        expect(data.length <= limit, `at most ${limit} records`);
      }
      const { data } = await client.get<{ data: unknown[] }>(id, 200, { path });
      expect(data.length <= 100, 'at most 100 records by default');
    }),

    check(`${id} may refuse a limit that is not from 1 to 200`, async ({ client, discovery }) => {
      const path = await pathOf(id, discovery);
      for (const limit of BAD_LIMITS) await client.mayRefuse(id, { path, query: { limit } });
    }),
  ]),

  check('listRoster walks by user_id ascending, the same by small pages as by large ones', async (subject) => {
    const { client, discovery } = subject;
    const creators = await discovery.creators();
    if (creators.length < 3) throw new Skipped('fewer than three creators');
    const idsOf = (some: NativeCreator[]) => some.map((creator) => creator.user_id.toLowerCase());
    const ids = idsOf(creators);
    equal(ids, ascending(ids), 'order');
    const path = { agency_id: discovery.agencyId };
    const small = await walk<NativeCreator>(client, 'listRoster', path, { limit: 2 }, MAX_RECORDS_READ);
    equal(idsOf(small), ids.slice(0, small.length), 'small pages');
    expect(small.length >= Math.min(ids.length, MAX_RECORDS_READ), 'small pages reach the end');
  }),

  ...['listRoster', 'listSlots'].map((id) =>
    check(`${id} may refuse a cursor that is no UUID`, ({ client, discovery }) =>
      client.mayRefuse(id, { path: { agency_id: discovery.agencyId }, query: { after: 'x' } }),
    ),
  ),

  check(
    'listRoster shows neither staff nor who accepted and is not onboarded, and each as getNativeCreator does',
    async ({ client, discovery }) => {
      const creators = await discovery.creators();
      if (creators.length === 0) throw new Skipped('the roster is empty');
      expect(
        creators.every((one) => !one.is_staff && (one.onboarding_complete || one.invitation_reference === null)),
        'no staff, nobody invited who is not onboarded',
      );
      for (const creator of creators.slice(0, 5)) {
        const shown = await client.get<NativeCreator>('getNativeCreator', 200, { path: discovery.pathOf(creator) });
        equal(shown.user_id.toLowerCase(), creator.user_id.toLowerCase(), 'user_id');
        if (shown.updated_at === creator.updated_at) equal(shown.display_name, creator.display_name, 'display_name');
      }
    },
  ),

  walksById('listLeaks', 'leak_id', { atLeast: 3, limit: 2 }),

  check('listLeaks with updated_since shows the records at or after it, and pages over them', async (subject) => {
    const { client, discovery } = subject;
    const { path, records } = await discovery.richest<Leak>('listLeaks', 3);
    const times = records.map((leak) => leak.updated_at).sort((a, b) => a - b);
    const since = times[Math.floor(times.length / 2)] ?? 0;
    const idsOf = (leaks: Leak[]) => leaks.map((leak) => leak.leak_id);
    const all = await walk<Leak>(client, 'listLeaks', path);
    const wanted = idsOf(all.filter((leak) => leak.updated_at >= since));
    const shown = await walk<Leak>(client, 'listLeaks', path, { limit: 2, updated_since: since }, MAX_RECORDS_READ);
    equal(idsOf(shown), wanted.slice(0, shown.length), 'updated_since');
    expect(shown.length >= Math.min(wanted.length, MAX_RECORDS_READ), 'all that was updated is shown');
    const future = { updated_since: (times.at(-1) ?? 0) + 1_000_000_000_000, limit: 200 };
    equal(await walk<Leak>(client, 'listLeaks', path, future), [], 'updated in the future');
  }),

  check('listLeaks may refuse an updated_since that is no integer', async ({ client, discovery }) =>
    client.mayRefuse('listLeaks', { path: await discovery.path(), query: { updated_since: 'yesterday' } }),
  ),

  walksById('listImpersonations', 'impersonation_id', { atLeast: 2, limit: 1 }),

  check('listActivity shows the newest first, the same by small pages as by large ones', async (subject) => {
    const { client, discovery } = subject;
    const { path, records } = await discovery.richest<Activity>('listActivity', 3);
    const times = records.map((record) => record.occurred_at);
    equal(
      times,
      times.toSorted((a, b) => b - a),
      'order',
    );
    const idsOf = (some: Activity[]) => some.map((record) => record.id);
    const small = await walk<Activity>(client, 'listActivity', path, { limit: 2 }, MAX_RECORDS_READ);
    equal(idsOf(small), idsOf(records.slice(0, small.length)), 'small pages');
  }),
];

const pathOf = async (id: (typeof LISTS)[number], discovery: Discovery) =>
  id === 'listRoster' || id === 'listSlots' ? { agency_id: discovery.agencyId } : discovery.path();

function walksById<Id extends string>(
  operation: 'listLeaks' | 'listImpersonations',
  idField: Id,
  { atLeast, limit }: { atLeast: number; limit: number },
): Check {
  const name = `${operation} walks by ${idField} ascending, the same by small pages as by large ones`;
  return check(name, async ({ client, discovery }) => {
    const { path, records } = await discovery.richest<Record<Id, string>>(operation, atLeast);
    const ids = records.map((record) => record[idField]);
    expectAscending(ids);
    const small = await walk<Record<Id, string>>(client, operation, path, { limit }, MAX_RECORDS_READ);
    const smallIds = small.map((record) => record[idField]);
    equal(smallIds, ids.slice(0, small.length), 'small pages');
  });
}

/** The contract does not define the order of texts: by code units, or as a database sorts them. */
function expectAscending(ids: string[]): void {
  const orders = [undefined, new Intl.Collator().compare, new Intl.Collator(undefined, { numeric: true }).compare];
  const isAscending = orders.some((order) => isDeepStrictEqual(ids, [...new Set(ids)].sort(order)));
  if (!isAscending) equal(ids, ascending(ids), 'order');
}

/** Strictly: a record shown twice is out of order. */
function ascending(ids: string[]): string[] {
  return [...new Set(ids)].sort();
}
