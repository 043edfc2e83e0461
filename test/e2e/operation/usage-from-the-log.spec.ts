import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { boundAt } from '#audit';
import { agencyId, DAY, eventsOf, HOUR, type Instant, type RecordedEvent } from '#kernel';
import { type Month, monthOf } from '#usage';
import { explain } from '../../support/operator-actions.js';
import { startService } from '../support/start-service.js';

// Histories of days, which a crowded machine takes its time for.
jest.setTimeout(120_000);

const PRICE = 1_234_567;
const MINIMUM = 50;
const service = await startService({
  env: { PRICE_PER_CREATOR_MONTH_CENTS: `${PRICE}`, MINIMUM_MONTHLY_CENTS: `${MINIMUM}` },
});

/** Over the end of a year and the leap day of the next. */
const BEGINNING = Date.parse('2027-12-28T22:00:00Z');
/** Later than any of the histories, and far from a month's end. */
const AFTERWARDS = Date.parse('2028-06-15T12:00:00Z');
const MONTHS = ['2027-12', '2028-01', '2028-02', '2028-03'];

interface Reckoned {
  readonly active_creator_count: number;
  readonly creator_seconds: number;
  readonly estimated_subtotal_cents: number;
  readonly estimated_total_cents: number;
}

/** The switches of a workspace as they stand in the log, and nothing of the service's that adds them up. */
const switchesOf = async (workspaceId: string): Promise<RecordedEvent[]> => {
  const types = new Set(['creator.protectionActivated.v1', 'creator.protectionPaused.v1']);
  const switches = await Array.fromAsync(eventsOf(service.services.log, { types }));
  return switches.filter(({ metadata }) => metadata.workspaceId === workspaceId);
};

/** When an interval ends: the time of the pause, or what a clock showed that was behind the creator's last event (D44). */
const endOf = ({ data, metadata }: RecordedEvent): Instant =>
  'pausedAt' in data ? Math.min(Number(data.pausedAt), metadata.at) : metadata.at;

/** Reckons millisecond by millisecond in principle: how much of the month lies between each on and off. */
const reckon = (switches: readonly RecordedEvent[], month: string, now: Instant): Reckoned => {
  const [year, index] = month.split('-').map(Number) as [number, number];
  const [start, end] = [Date.UTC(year, index - 1), Date.UTC(year, index)];
  const perStream = new Map<string, number>();
  for (const stream of new Set(switches.map((event) => event.stream))) {
    let active = 0;
    let on: Instant | undefined;
    const within = (from: Instant, to: Instant) => Math.max(0, Math.min(to, end, now) - Math.max(from, start));
    for (const event of switches.filter((candidate) => candidate.stream === stream)) {
      if (event.type === 'creator.protectionActivated.v1') on ??= event.metadata.at;
      else if (on !== undefined) {
        active += within(on, endOf(event));
        on = undefined;
      }
    }
    perStream.set(stream, active + (on === undefined ? 0 : within(on, now)));
  }
  const times = [...perStream.values()].filter((time) => time > 0);
  const active = times.reduce((sum, time) => sum + time, 0);
  const [exact, length] = [BigInt(active) * BigInt(PRICE), BigInt(end - start)];
  const subtotal = Number(exact / length) + ((exact % length) * 2n >= length ? 1 : 0);
  return {
    active_creator_count: times.length,
    creator_seconds: active / 1_000,
    estimated_subtotal_cents: subtotal,
    estimated_total_cents: Math.max(subtotal, MINIMUM),
  };
};

const steps = fc.array(
  fc.record({
    creator: fc.nat(2),
    status: fc.constantFrom('active' as const, 'paused' as const),
    // Mostly on, sometimes a clock that was set back.
    wait: fc.oneof(
      { weight: 4, arbitrary: fc.nat(9 * DAY) },
      { weight: 1, arbitrary: fc.integer({ min: -HOUR, max: 0 }) },
      { weight: 1, arbitrary: fc.integer({ min: -40 * DAY, max: -9 * DAY }) },
    ),
  }),
  { minLength: 8, maxLength: 16 },
);

/** The first creator's pause is later than the clock in the end: a stream's times never go back. */
const CLOCK_SET_BACK = [
  { creator: 1, status: 'active' as const, wait: 0 },
  { creator: 0, status: 'active' as const, wait: 0 },
  { creator: 0, status: 'paused' as const, wait: 11 },
  { creator: 0, status: 'active' as const, wait: -1 },
];

/** One creator's pause is later than another's activation that follows it in the log. */
const CLOCK_SET_BACK_FOR_ANOTHER = [
  { creator: 1, status: 'active' as const, wait: 0 },
  { creator: 1, status: 'paused' as const, wait: 11 },
  { creator: 0, status: 'active' as const, wait: -1 },
];

test('usage from the API, the tool and the log is the same, over year ends, leap days and clock jumps', async () => {
  service.clock.advance(BEGINNING - service.clock.now());
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      service.clock.advance(BEGINNING - service.clock.now());
      const agency = await service.agency();
      const creators = [await agency.linked(), await agency.linked(), await agency.linked()];
      for (const { creator, status, wait } of history) {
        service.clock.advance(wait);
        const id = creators[creator]?.id;
        if (id !== undefined) expect((await agency.api.protect(id, status)).status).toBe(200);
      }
      const now = service.clock.now();
      const switches = await switchesOf(agency.workspaceId);
      for (const month of MONTHS.filter((candidate) => Date.parse(`${candidate}-01`) <= now)) {
        const reckoned = reckon(switches, month, now);
        expect(await agency.api.got(`/v1/usage?month=${month}`)).toMatchObject(reckoned);
        const explained = await explain(service.services, { agencyId: agencyId(agency.id), month: month as Month });
        expect(explained.totals).toMatchObject(reckoned);
        const times = explained.creators.flatMap(({ intervals }) =>
          intervals.map((interval) => interval.active_milliseconds),
        );
        expect(times.reduce((sum, time) => sum + time, 0)).toBe(explained.totals.active_milliseconds);
        const days = explained.days.reduce((sum, day) => sum + day.active_milliseconds, 0);
        expect(days).toBe(explained.totals.active_milliseconds);
      }
    }),
    { numRuns: 6, examples: [[CLOCK_SET_BACK], [CLOCK_SET_BACK_FOR_ANOTHER]] },
  );
});

test('the tool shows what the API answered at an event of the log, regardless of later events', async () => {
  service.clock.advance(AFTERWARDS - service.clock.now());
  const agency = await service.agency();
  const creator = await agency.active();
  service.clock.advance(5 * HOUR);
  await agency.api.protect(creator.id, 'paused');
  const month = monthOf(service.clock.now());
  const answered = await agency.api.got(`/v1/usage?month=${month}`);
  const last = (await switchesOf(agency.workspaceId)).at(-1);
  if (last === undefined) throw new Error('nothing was switched');

  service.clock.advance(HOUR);
  await agency.api.protect(creator.id, 'active');
  service.clock.advance(HOUR);
  const asOf = { kind: 'event', eventId: last.id } as const;
  const then = await explain(service.services, { agencyId: agencyId(agency.id), month, asOf });
  expect(answered).toMatchObject({
    creator_seconds: then.totals.creator_seconds,
    measured_through: then.measured_through,
  });
  expect(then.creators.flatMap(({ intervals }) => intervals)).toMatchObject([
    { active_milliseconds: 5 * HOUR, opened_by: { actor: `key:${agency.keyId}` }, closed_by: { event_id: last.id } },
  ]);
  expect((await boundAt(service.services.log, asOf)).at).toBe(last.metadata.at);
});
