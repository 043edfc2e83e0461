import type { CreatorId, Duration, Instant } from '#kernel';
import { type Day, dayOf, splitByDayStart } from './day.js';
import { type Month, spanOf } from './month.js';
import type { ProtectionInterval, Switch } from './protection-intervals.js';
import { type ClippedInterval, clippedTo, type IntervalEnd, type UsageFigures, usageFigures } from './usage-figures.js';

export interface ExplainedCreator<End = Switch> {
  readonly creatorId: CreatorId;
  readonly active: Duration;
  /** Those with any active time. */
  readonly days: readonly DayShare[];
  readonly intervals: readonly ClippedInterval<End>[];
}

export interface DayShare {
  readonly day: Day;
  readonly active: Duration;
  /** Creators with any active time on the day. */
  readonly creators: number;
}

/** A month's usage, down to the ends of the intervals that it comes from. */
export interface UsageExplanation<End = Switch> {
  readonly figures: UsageFigures;
  /** Every day of the month up to `through`. */
  readonly days: readonly DayShare[];
  /** In the order of their ids; those without active time in the month are left out (D44). */
  readonly creators: readonly ExplainedCreator<End>[];
}

/** Explains what `GET /v1/usage` answers when the log holds these intervals, at `through` (within the month or its end). */
export const explainUsage = <End extends IntervalEnd>(
  month: Month,
  through: Instant,
  intervals: readonly ProtectionInterval<End>[],
): UsageExplanation<End> => {
  const byCreator = Map.groupBy(clippedTo(month, through, intervals), ({ creatorId }) => creatorId);
  const sums = new Map(splitByDayStart(spanOf(month).start, through).map(({ start }) => [start, emptyDay(start)]));
  const creators = [...byCreator]
    .map(([creatorId, clipped]): ExplainedCreator<End> => {
      const own = new Map<Instant, DaySum>();
      for (const { from, to } of clipped) {
        for (const { start, length } of splitByDayStart(from, to)) {
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
