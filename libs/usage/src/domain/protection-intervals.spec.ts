import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CommandRunner, DAY, derivedId, eventsOf, HOUR, type Instant, type RecordedEvent, streamName } from '#kernel';
import { FakeClock, InMemoryEventLog } from '#testing';
import type { CreatorEvent } from '../../../creators/src/domain/creator.events.js';
import { creatorDecider } from '../../../creators/src/domain/creator.js';
import { contextOf, workspaceId } from '../../../kernel/src/deciding/tally.fixtures.js';
import { isSwitch, protectionIntervals, switchedAt } from './protection-intervals.js';
import { startMetering, stopMetering, type UsageMeterEvent, usageMeterDecider } from './usage-meter.js';

const creatorId = derivedId('creator', 'mia');
const EVENTS = {
  on: { type: 'creator.protectionActivated.v1', data: { activationId: 'act_1', reason: 'api_request' } },
  off: { type: 'creator.protectionPaused.v1', data: { reason: 'api_request' } },
  other: { type: 'creator.memberFound.v1', data: {} },
} as const satisfies Record<string, CreatorEvent>;

const steps = fc.array(
  fc.record({
    wait: fc.oneof(fc.nat(DAY), fc.constantFrom(-365 * DAY, -DAY, -HOUR, -1, 0, HOUR, 365 * DAY)),
    kind: fc.constantFrom('on', 'off', 'other'),
  }),
  { minLength: 1, maxLength: 20 },
);
type Step = { readonly wait: number; readonly kind: keyof typeof EVENTS };

/** One creator's log by a clock that is set forward and back, and what the clock showed at each switch. */
const recorded = async (history: readonly Step[]) => {
  const [log, clock] = [new InMemoryEventLog(), new FakeClock()];
  const runner = new CommandRunner(log, clock);
  const expected: { from: Instant; to: Instant | null }[] = [];
  let last = 0;
  for (const { wait, kind } of history) {
    clock.jump(wait);
    await runner.run(creatorDecider, creatorId, contextOf(), () => [EVENTS[kind]]);
    last = Math.max(last, clock.now());
    const open = expected.at(-1)?.to === null ? expected.pop() : undefined;
    if (open === undefined && kind === 'on') expected.push({ from: last, to: null });
    if (open !== undefined) expected.push(kind === 'off' ? { ...open, to: Math.max(open.from, clock.now()) } : open);
  }
  return { log, expected };
};

const metered = (events: readonly RecordedEvent[]) => {
  let meter = usageMeterDecider.initial;
  const intervals: { from: Instant; to: Instant | null }[] = [];
  for (const event of events) {
    if (!isSwitch(event)) continue;
    const change = { creatorId, workspaceId, cause: { eventId: event.id, revision: event.revision } };
    const meterBy = event.type === 'creator.protectionActivated.v1' ? startMetering : stopMetering;
    for (const result of meterBy(meter, change, switchedAt(event))) {
      meter = usageMeterDecider.evolve(meter, result, event.metadata.at);
      if (isStop(result)) intervals.push({ from: result.data.from, to: result.data.to });
    }
  }
  return [...intervals, ...(meter.open === null ? [] : [{ from: meter.open.from, to: null }])];
};

const isStop = (event: UsageMeterEvent): event is Extract<UsageMeterEvent, { data: { to: Instant } }> =>
  event.type === 'usageMeter.meteringStopped.v1';

const AHEAD: readonly Step[] = [
  { wait: 0, kind: 'on' },
  { wait: 365 * DAY, kind: 'other' },
  { wait: -364 * DAY, kind: 'off' },
];
const ACTIVATED_AHEAD: readonly Step[] = [
  { wait: 365 * DAY, kind: 'on' },
  { wait: -364 * DAY, kind: 'off' },
  { wait: HOUR, kind: 'on' },
];
const BEHIND: readonly Step[] = [
  { wait: 0, kind: 'on' },
  { wait: -DAY, kind: 'off' },
];

it('an interval ends at what the clock showed at the pause, not before its start, in the log and in the meter (D44)', () =>
  fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const { log, expected } = await recorded(history);
      const events = await log.readStream(streamName('creator', creatorId));
      const intervals = await protectionIntervals(eventsOf(log), workspaceId);
      expect(intervals.map(({ opened, closed }) => ({ from: opened.at, to: closed?.at ?? null }))).toEqual(expected);
      expect(metered(events)).toEqual(expected);
      for (const [n, { from }] of expected.entries()) expect(from).toBeGreaterThanOrEqual(expected[n - 1]?.to ?? 0);
    }),
    { numRuns: 100, examples: [[[...AHEAD]], [[...ACTIVATED_AHEAD]], [[...BEHIND]]] },
  ));

it('as of a time, no interval begins later, and one that ended later lasts (D44)', () =>
  fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: -2, max: 20 }), async (history, days) => {
      const { log, expected } = await recorded(history);
      const asOf = new FakeClock().now() + days * DAY;
      const then = await protectionIntervals(eventsOf(log), workspaceId, asOf);
      const cut = expected
        .filter(({ from }) => from <= asOf)
        .map(({ from, to }) => ({ from, to: to !== null && to <= asOf ? to : null }));
      expect(then.map(({ opened, closed }) => ({ from: opened.at, to: closed?.at ?? null }))).toEqual(cut);
    }),
    { numRuns: 100, examples: [[[...AHEAD], 2]] },
  ));
