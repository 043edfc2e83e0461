import { isDeepStrictEqual } from 'node:util';
import type { Activity, Impersonation, Leak, NativeCreator } from '../../contract/types.js';
import type { Check } from '../check.js';
import type { Discovery } from '../discovery.js';
import { equal, expect, Skipped } from '../verdict.js';
import { walk } from '../walk.js';

const LISTS = ['listRoster', 'listSlots', 'listLeaks', 'listImpersonations', 'listActivity'] as const;
const BAD_LIMITS = ['0', '-1', '201', '1.5', 'many'];
/** Enough to cross several pages of two without reading a large agency by twos. */
const MAX_RECORDS_READ = 40;

export const pagingChecks: readonly Check[] = [
  ...LISTS.map(
    (id): Check => ({
      name: `${id} gives at most as many records as its limit says`,
      async verify({ client, discovery }) {
        const path = await pathOf(id, discovery);
        for (const limit of [1, 200]) {
          const { data } = await client.get<{ data: unknown[] }>(id, 200, { path, query: { limit } });
          expect(data.length <= limit, `at most ${limit} records`);
        }
        const { data } = await client.get<{ data: unknown[] }>(id, 200, { path });
        expect(data.length <= 100, 'at most 100 records by default');
      },
    }),
  ),
  ...LISTS.map(
    (id): Check => ({
      name: `${id} may refuse a limit that is not from 1 to 200`,
      async verify({ client, discovery }) {
        const path = await pathOf(id, discovery);
        for (const limit of BAD_LIMITS) await client.mayRefuse(id, { path, query: { limit } });
      },
    }),
  ),
  {
    name: 'listRoster walks by user_id ascending, the same by small pages as by large ones',
    async verify({ client, discovery }) {
      const creators = await discovery.creators();
      if (creators.length < 3) throw new Skipped('fewer than three creators');
      const ids = creators.map((creator) => creator.user_id.toLowerCase());
      equal(ids, ascending(ids), 'order');
      const path = { agency_id: discovery.agencyId };
      const small = await walk<NativeCreator>(client, 'listRoster', path, { limit: 2 }, MAX_RECORDS_READ);
      equal(
        small.map((creator) => creator.user_id.toLowerCase()),
        ids.slice(0, small.length),
        'small pages',
      );
      expect(small.length >= Math.min(ids.length, MAX_RECORDS_READ), 'small pages reach the end');
    },
  },
  ...(['listRoster', 'listSlots'] as const).map(
    (id): Check => ({
      name: `${id} may refuse a cursor that is no UUID`,
      verify: ({ client, discovery }) =>
        client.mayRefuse(id, { path: { agency_id: discovery.agencyId }, query: { after: 'x' } }),
    }),
  ),
  {
    name: 'listRoster shows neither staff nor who accepted and is not onboarded, and each as getNativeCreator does',
    async verify({ client, discovery }) {
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
  },
  {
    name: 'listLeaks walks by leak_id ascending, the same by small pages as by large ones',
    async verify({ client, discovery }) {
      const { path, records } = await discovery.richest<Leak>('listLeaks', 3);
      const ids = records.map((leak) => leak.leak_id);
      expectAscending(ids);
      const small = await walk<Leak>(client, 'listLeaks', path, { limit: 2 }, MAX_RECORDS_READ);
      equal(
        small.map((leak) => leak.leak_id),
        ids.slice(0, small.length),
        'small pages',
      );
    },
  },
  {
    name: 'listLeaks with updated_since shows the records at or after it, and pages over them',
    async verify({ client, discovery }) {
      const { path, records } = await discovery.richest<Leak>('listLeaks', 3);
      const times = records.map((leak) => leak.updated_at).sort((a, b) => a - b);
      const since = times[Math.floor(times.length / 2)] ?? 0;
      const all = await walk<Leak>(client, 'listLeaks', path, { limit: 200 });
      const wanted = all.filter((leak) => leak.updated_at >= since).map((leak) => leak.leak_id);
      const shown = await walk<Leak>(client, 'listLeaks', path, { limit: 2, updated_since: since }, MAX_RECORDS_READ);
      equal(
        shown.map((leak) => leak.leak_id),
        wanted.slice(0, shown.length),
        'updated_since',
      );
      expect(shown.length >= Math.min(wanted.length, MAX_RECORDS_READ), 'all that was updated is shown');
      const future = { updated_since: (times.at(-1) ?? 0) + 1_000_000_000_000, limit: 200 };
      equal(await walk<Leak>(client, 'listLeaks', path, future), [], 'updated in the future');
    },
  },
  {
    name: 'listLeaks may refuse an updated_since that is no integer',
    async verify({ client, discovery }) {
      const path = await discovery.path();
      await client.mayRefuse('listLeaks', { path, query: { updated_since: 'yesterday' } });
    },
  },
  {
    name: 'listImpersonations walks by impersonation_id ascending, page by page',
    async verify({ client, discovery }) {
      const { path, records } = await discovery.richest<Impersonation>('listImpersonations', 2);
      const ids = records.map((record) => record.impersonation_id);
      expectAscending(ids);
      const small = await walk<Impersonation>(client, 'listImpersonations', path, { limit: 1 }, MAX_RECORDS_READ);
      equal(
        small.map((record) => record.impersonation_id),
        ids.slice(0, small.length),
        'small pages',
      );
    },
  },
  {
    name: 'listActivity shows the newest first, the same by small pages as by large ones',
    async verify({ client, discovery }) {
      const { path, records } = await discovery.richest<Activity>('listActivity', 3);
      const times = records.map((record) => record.occurred_at);
      equal(
        times,
        [...times].sort((a, b) => b - a),
        'order',
      );
      const small = await walk<Activity>(client, 'listActivity', path, { limit: 2 }, MAX_RECORDS_READ);
      equal(
        small.map((record) => record.id),
        records.slice(0, small.length).map((record) => record.id),
        'small pages',
      );
    },
  },
];

const pathOf = async (id: (typeof LISTS)[number], discovery: Discovery) =>
  id === 'listRoster' || id === 'listSlots' ? { agency_id: discovery.agencyId } : discovery.path();

/** The contract does not say by which order of texts: by code units, or as a database sorts them. */
function expectAscending(ids: string[]): void {
  const orders = [undefined, new Intl.Collator().compare, new Intl.Collator(undefined, { numeric: true }).compare];
  const isAscending = orders.some((order) => isDeepStrictEqual(ids, [...new Set(ids)].sort(order)));
  if (!isAscending) equal(ids, ascending(ids), 'order');
}

/** Strictly: a record shown twice is out of order. */
function ascending(ids: string[]): string[] {
  return [...new Set(ids)].sort();
}
