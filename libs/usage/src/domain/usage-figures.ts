import type { CreatorId, Duration, Instant } from '#kernel';
import { type Month, spanOf } from './month.js';
import type { ProtectionInterval, Switch } from './protection-intervals.js';

/** A month's active time up to `through`, exact to the millisecond. */
export interface UsageFigures {
  readonly month: Month;
  /** Within the month or at its end. */
  readonly through: Instant;
  readonly active: Duration;
  /** Creators with more than zero milliseconds (D81). */
  readonly creators: number;
}

/** The sums of a month's intervals. */
export interface MonthSums {
  readonly month: Month;
  /** Time of closed intervals within the month, in milliseconds. */
  readonly closed: Duration;
  /** Creators with any such time. */
  readonly creators: number;
  /** Intervals that began in the month and last. */
  readonly open: number;
  /** The sum of their beginnings, each counted from the month's start: small numbers, so exact. */
  readonly openOffsets: Duration;
  /** Those whose creator is among `creators` already. */
  readonly openCounted: number;
}

/**
 * What a month's usage is computed from: intervals, or the sums of the month and those before it. Sums do not tell when
 * an interval began or ended, so they count only at the month's end, or after all that is in them.
 */
type Counted =
  | { readonly intervals: readonly ProtectionInterval<IntervalEnd>[] }
  | { readonly sums: readonly MonthSums[] };

export type IntervalEnd = Pick<Switch, 'at'>;

/** The figures of a month (D44), wherever they are shown. */
export const usageFigures = (month: Month, through: Instant, counted: Counted): UsageFigures => {
  const figures = { month, through, active: 0, creators: 0 };
  if ('intervals' in counted) {
    const clipped = clippedTo(month, through, counted.intervals);
    for (const { length } of clipped) figures.active += length;
    return { ...figures, creators: new Set(clipped.map(({ creatorId }) => creatorId)).size };
  }
  const { start } = spanOf(month);
  for (const { month: since, closed, creators, open, openOffsets, openCounted } of counted.sums) {
    if (since > month) continue;
    figures.active += open * (through - start);
    // At the month's beginning what is open since an earlier one has no time in it yet.
    if (since < month) figures.creators += through > start ? open : 0;
    else {
      figures.active += closed - openOffsets;
      figures.creators += creators + open - openCounted;
    }
  }
  return figures;
};

/** An interval's part of a month. */
export interface ClippedInterval<End = Switch> {
  readonly creatorId: CreatorId;
  readonly from: Instant;
  readonly to: Instant;
  readonly length: Duration;
  readonly opened: End;
  readonly closed: End | null;
}

/** What of the intervals lies in the month and before `through`; one of no length does not count (D44). */
export const clippedTo = <End extends IntervalEnd>(
  month: Month,
  through: Instant,
  intervals: readonly ProtectionInterval<End>[],
): ClippedInterval<End>[] => {
  const { start } = spanOf(month);
  return intervals.flatMap((interval) => {
    const from = Math.max(interval.opened.at, start);
    const to = Math.min(interval.closed?.at ?? through, through);
    return from < to ? [{ ...interval, from, to, length: to - from }] : [];
  });
};
