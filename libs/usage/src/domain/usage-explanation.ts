import type { CreatorId, Duration, Instant } from '#kernel';
import { type Day, dayOf, splitByDay, splitByDayStart } from './day.js';
import { type Month, spanOf } from './month.js';
import type { ProtectionInterval, Switch } from './protection-intervals.js';

export interface ExplainedInterval<End = Switch> {
  readonly from: Instant;
  readonly to: Instant;
  readonly length: Duration;
  readonly opened: End;
  readonly closed: End | null;
}

export interface ExplainedCreator<End = Switch> {
  readonly creatorId: CreatorId;
  readonly active: Duration;
  readonly days: readonly DayShare[];
  readonly intervals: readonly ExplainedInterval<End>[];
}

export interface DayShare {
  readonly day: Day;
  readonly active: Duration;
  /** Creators with any active time on the day. */
  readonly creators: number;
}

/** A month's usage, down to the switches that it comes from. */
export interface UsageExplanation<End = Switch> {
  readonly month: Month;
  readonly through: Instant;
  readonly active: Duration;
  readonly days: readonly DayShare[];
  /** In the order of their ids; those without active time in the month are left out (D44). */
  readonly creators: readonly ExplainedCreator<End>[];
}

/** Explains what `GET /v1/usage` answers when the log holds these intervals, at `through` (within the month or its end). */
export const explainUsage = <End extends Pick<Switch, 'at'>>(
  month: Month,
  through: Instant,
  intervals: readonly ProtectionInterval<End>[],
): UsageExplanation<End> => {
  const { start } = spanOf(month);
  const byCreator = new Map<CreatorId, ExplainedInterval<End>[]>();
  for (const interval of intervals) {
    const explained = clipped(interval, start, through);
    if (explained.length <= 0) continue;
    const own = byCreator.get(interval.creatorId);
    if (own === undefined) byCreator.set(interval.creatorId, [explained]);
    else own.push(explained);
  }
  const days = new Days();
  const creators = [...byCreator]
    .map(([creatorId, own]): ExplainedCreator<End> => {
      const sorted = own.toSorted((a, b) => a.from - b.from);
      const active = sumOf(sorted.map(({ length }) => length));
      return { creatorId, active, days: days.add(sorted), intervals: sorted };
    })
    .toSorted((a, b) => (a.creatorId < b.creatorId ? -1 : 1));
  const active = sumOf(creators.map((creator) => creator.active));
  return { month, through, active, days: days.all, creators };
};

const clipped = <End extends Pick<Switch, 'at'>>(
  { opened, closed }: ProtectionInterval<End>,
  start: Instant,
  through: Instant,
): ExplainedInterval<End> => {
  const from = Math.max(opened.at, start);
  const to = Math.min(closed?.at ?? through, through);
  return { from, to, length: to - from, opened, closed };
};

/** What lies in each day that has any, by the beginning of the day. */
class Days {
  private readonly sums = new Map<Instant, { day: Day; active: Duration; creators: number }>();

  /** Adds one creator's intervals; returns what lies in each day of them alone. */
  add(intervals: readonly Pick<ExplainedInterval, 'from' | 'to'>[]): readonly DayShare[] {
    const own = new Map<Instant, Duration>();
    for (const { from, to } of intervals) {
      for (const { start, length } of splitByDayStart(from, to)) own.set(start, (own.get(start) ?? 0) + length);
    }
    return [...own].sort(([one], [other]) => one - other).map(([start, active]) => this.count(start, active));
  }

  get all(): readonly DayShare[] {
    return [...this.sums.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
  }

  private count(start: Instant, active: Duration): DayShare {
    const sum = this.sums.get(start) ?? { day: dayOf(start), active: 0, creators: 0 };
    this.sums.set(start, sum);
    sum.active += active;
    sum.creators++;
    return { day: sum.day, active, creators: 1 };
  }
}

const sumOf = (lengths: readonly Duration[]): Duration => lengths.reduce((sum, length) => sum + length, 0);

/** Every day of the month up to `through`, also those without any active time: what a chart shows. */
export const daysThrough = (month: Month, through: Instant): readonly Day[] =>
  splitByDay(spanOf(month).start, Math.max(through, spanOf(month).start)).map(({ day }) => day);
