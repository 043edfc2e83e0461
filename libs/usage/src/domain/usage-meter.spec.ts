import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agencyId, derivedId, type Instant, type Revision } from '#kernel';
import { folded, given } from '#testing';
import type { Month } from './month.js';
import {
  startMetering,
  stopMetering,
  type UsageMeter,
  type UsageMeterEvent,
  usageMeterDecider,
} from './usage-meter.js';

const creatorId = derivedId('creator', 'mia');
const workspaceId = derivedId('workspace', agencyId('ag_lumen'));
const by = (revision: Revision) => ({ creatorId, workspaceId, cause: { eventId: `event-${revision}`, revision } });

const JANUARY_1970 = '1970-01' as Month;

const started = (revision: Revision, from: Instant, isCounted = false): UsageMeterEvent => ({
  type: 'usageMeter.meteringStarted.v1',
  data: { ...by(revision), from, isCounted },
});
const stopped = (
  revision: Revision,
  from: Instant,
  to: Instant,
  { newMonths = [JANUARY_1970], isCounted = false }: { newMonths?: readonly Month[]; isCounted?: boolean } = {},
): UsageMeterEvent => ({
  type: 'usageMeter.meteringStopped.v1',
  data: { ...by(revision), from, isCounted, to, newMonths },
});

const givenMeter = (past: readonly UsageMeterEvent[]) => given(usageMeterDecider, past);
const start = (revision: Revision, instant: Instant) => (state: UsageMeter) =>
  startMetering(state, by(revision), instant);
const stop = (revision: Revision, instant: Instant) => (state: UsageMeter) =>
  stopMetering(state, by(revision), instant);

describe('metering', () => {
  it('D44: begins at the time of the activation', () => {
    givenMeter([])
      .when(start(3, 1_000))
      .then([started(3, 1_000)]);
    expect(folded(usageMeterDecider, [started(3, 1_000)])).toEqual({
      open: { from: 1_000, isCounted: false },
      lastMonth: null,
      readThrough: 3,
    });
  });

  it('D44: ends at the time of the pause, as one whole interval', () => {
    givenMeter([started(3, 1_000)])
      .when(stop(4, 5_000))
      .then([stopped(4, 1_000, 5_000)]);
    expect(folded(usageMeterDecider, [started(3, 1_000), stopped(4, 1_000, 5_000)])).toEqual({
      open: null,
      lastMonth: JANUARY_1970,
      readThrough: 4,
    });
  });

  it('D44: closes an interval of no length like any other, and counts it in no month', () => {
    givenMeter([started(3, 1_000)])
      .when(stop(4, 1_000))
      .then([stopped(4, 1_000, 1_000, { newMonths: [] })]);
  });

  it('D44: ends at its beginning if the clock was behind that at the pause', () => {
    givenMeter([started(3, 5_000)])
      .when(stop(4, 1_000))
      .then([stopped(4, 5_000, 5_000, { newMonths: [] })]);
  });

  it('D41: begins no second interval while one is open', () => {
    givenMeter([started(3, 1_000)])
      .when(start(5, 2_000))
      .thenNothing();
  });

  it('ignores a repeated event of the creator', () => {
    const past = [started(3, 1_000), stopped(4, 1_000, 5_000)];
    givenMeter(past).when(start(3, 1_000)).thenNothing();
    givenMeter(past).when(stop(4, 5_000)).thenNothing();
    givenMeter([...past, started(7, 8_000)])
      .when(stop(4, 5_000))
      .thenNothing();
    givenMeter([...past, started(7, 8_000)])
      .when(stop(7, 9_000))
      .thenNothing();
    givenMeter([...past, started(7, 8_000)])
      .when(stop(8, 9_000))
      .then([stopped(8, 8_000, 9_000, { newMonths: [] })]);
  });

  it('counts a creator once in each month that it is active in', () => {
    const at = (text: string) => Date.parse(text);
    const [from, to] = [at('2026-12-30T00:00:00Z'), at('2027-02-01T00:00:00Z')];
    const months = (...names: string[]) => names as Month[];
    givenMeter([started(3, from)])
      .when(stop(4, to))
      .then([stopped(4, from, to, { newMonths: months('2026-12', '2027-01') })]);
    const past = [started(3, from), stopped(4, from, to, { newMonths: months('2026-12', '2027-01') })];
    givenMeter(past)
      .when(start(5, to))
      .then([started(5, to)]);
    const january = at('2027-01-31T23:00:00Z');
    const earlier = [started(3, from), stopped(4, from, january, { newMonths: months('2026-12', '2027-01') })];
    givenMeter(earlier)
      .when(start(5, january + 1))
      .then([started(5, january + 1, true)]);
    givenMeter([...earlier, started(5, january + 1, true)])
      .when(stop(6, to + 1))
      .then([stopped(6, january + 1, to + 1, { newMonths: months('2027-02'), isCounted: true })]);
  });
});

describe('laws of the meter', () => {
  const switches = fc.array(fc.record({ on: fc.boolean(), wait: fc.nat(1_000), repeats: fc.nat(2) }), {
    maxLength: 40,
    size: 'max',
  });

  it('D44: intervals never overlap, and equal those of the protection events, however often these are read', () => {
    fc.assert(
      fc.property(switches, (protection) => {
        const seen: { revision: Revision; on: boolean; instant: Instant }[] = [];
        let state = usageMeterDecider.initial;
        let instant = 0;
        const intervals: { from: Instant; to: Instant }[] = [];
        const expected: { from: Instant; to: Instant }[] = [];
        let activeSince: Instant | null = null;
        protection.forEach(({ on, wait, repeats }, revision) => {
          instant += wait;
          seen.push({ revision, on, instant });
          if (on) activeSince ??= instant;
          else if (activeSince !== null) {
            expected.push({ from: activeSince, to: instant });
            activeSince = null;
          }
          // At least once, in order: a reader that crashed begins again some events before.
          for (const event of seen.slice(-1 - repeats)) {
            const decide = event.on ? start(event.revision, event.instant) : stop(event.revision, event.instant);
            for (const metered of decide(state)) {
              state = usageMeterDecider.evolve(state, metered, event.instant);
              if (metered.type === 'usageMeter.meteringStopped.v1') intervals.push(metered.data);
            }
          }
        });
        expect(intervals.map(({ from, to }) => ({ from, to }))).toEqual(expected);
        intervals.forEach(({ from, to }, index) => {
          expect(to).toBeGreaterThanOrEqual(from);
          expect(from).toBeGreaterThanOrEqual(intervals[index - 1]?.to ?? 0);
        });
      }),
    );
  });
});
