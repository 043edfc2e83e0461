import { type Branded, type CreatorId, DAY, type Duration, type Instant } from '#kernel';
import { type Month, spanOf } from './month.js';
import type { ProtectionInterval, Switch } from './protection-intervals.js';

export interface UsageFigures {
  readonly month: Month;
  readonly through: Instant;
  readonly active: Duration;
  /** Creators with more than zero milliseconds (D81). */
  readonly creators: number;
}

export interface MonthSums {
  readonly month: Month;
  /** Time of closed intervals within the month, in milliseconds. */
  readonly closed: Duration;
  readonly creators: number;
  readonly open: number;
  /** The sum of their beginnings, each counted from the month's start: small numbers, so exact. */
  readonly openOffsets: Duration;
  /** Those whose creator is among `creators` already. */
  readonly openCounted: number;
}

/**
 * Intervals, or the sums of the month and those before it. Sums do not show when an interval began or ended, so they
 * count only at the month's end, or after all that is in them.
 */
type Counted =
  | { readonly intervals: readonly ProtectionInterval<IntervalEnd>[] }
  | { readonly sums: readonly MonthSums[] };

export type IntervalEnd = Pick<Switch, 'at'>;

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

export interface ClippedInterval<End = Switch> {
  readonly creatorId: CreatorId;
  readonly from: Instant;
  readonly to: Instant;
  readonly length: Duration;
  readonly opened: End;
  readonly closed: End | null;
}

/** The parts of the intervals within the month and before `through`; an empty one does not count (D44). */
const clippedTo = <End extends IntervalEnd>(
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

/** A day in UTC, as `YYYY-MM-DD`; in this form days sort as text. */
type Day = Branded<'day'>;

export const dayOf = (at: Instant): Day => new Date(at).toISOString().slice(0, 10) as Day;

/** Names each UTC day by its start, because the text costs more than all the rest. None for an empty interval. */
export const splitByDay = (from: Instant, to: Instant): { readonly start: Instant; readonly length: Duration }[] => {
  const shares = [];
  for (let start = Math.floor(from / DAY) * DAY; from < to && start < to; start += DAY) {
    shares.push({ start, length: Math.min(to, start + DAY) - Math.max(from, start) });
  }
  return shares;
};

export interface ExplainedCreator<End = Switch> {
  readonly creatorId: CreatorId;
  readonly active: Duration;
  readonly days: readonly DayShare[];
  readonly intervals: readonly ClippedInterval<End>[];
}

export interface DayShare {
  readonly day: Day;
  readonly active: Duration;
  readonly creators: number;
}

export interface UsageExplanation<End = Switch> {
  readonly figures: UsageFigures;
  readonly days: readonly DayShare[];
  /** By id; those without active time in the month are left out (D44). */
  readonly creators: readonly ExplainedCreator<End>[];
}

/** Explains what `GET /v1/usage` answers when the log holds these intervals, at `through` (within the month or its end). */
export const explainUsage = <End extends IntervalEnd>(
  month: Month,
  through: Instant,
  intervals: readonly ProtectionInterval<End>[],
): UsageExplanation<End> => {
  const byCreator = Map.groupBy(clippedTo(month, through, intervals), ({ creatorId }) => creatorId);
  const sums = new Map(splitByDay(spanOf(month).start, through).map(({ start }) => [start, emptyDay(start)]));
  const creators = [...byCreator]
    .map(([creatorId, clipped]): ExplainedCreator<End> => {
      const own = new Map<Instant, DaySum>();
      for (const { from, to } of clipped) {
        for (const { start, length } of splitByDay(from, to)) {
          const day = own.get(start) ?? { ...emptyDay(start), creators: 1 };
          own.set(start, day);
          day.active += length;
        }
      }
      for (const [start, { active }] of own) {
        const sum = sums.get(start);
        if (sum === undefined) continue;
        sum.active += active;
        sum.creators++;
      }
      return {
        creatorId,
        active: clipped.reduce((sum, { length }) => sum + length, 0),
        days: [...own.values()].sort((a, b) => (a.day < b.day ? -1 : 1)),
        intervals: clipped.sort((a, b) => a.from - b.from),
      };
    })
    .sort((a, b) => (a.creatorId < b.creatorId ? -1 : 1));
  return { figures: usageFigures(month, through, { intervals }), days: [...sums.values()], creators };
};

interface DaySum extends DayShare {
  active: Duration;
  creators: number;
}

const emptyDay = (start: Instant): DaySum => ({ day: dayOf(start), active: 0, creators: 0 });
