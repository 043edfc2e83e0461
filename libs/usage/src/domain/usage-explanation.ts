import type { AgencyId, CreatorId, Duration, Instant, WorkspaceId } from '#kernel';
import { type Day, splitByDay } from './day.js';
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
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  /** When the account began, by the agency's first binding; null where it had not at that point of the log. */
  readonly since: Instant | null;
  readonly month: Month;
  readonly through: Instant;
  readonly active: Duration;
  readonly days: readonly DayShare[];
  /** In the order of their ids; those without active time in the month are left out (D44). */
  readonly creators: readonly ExplainedCreator<End>[];
}

/** Explains what `GET /v1/usage` answers when the log holds these intervals, at `through` (within the month or its end). */
export const explainUsage = <End extends Pick<Switch, 'at'>>(
  account: Pick<UsageExplanation, 'agencyId' | 'workspaceId' | 'since'>,
  month: Month,
  through: Instant,
  intervals: readonly ProtectionInterval<End>[],
): UsageExplanation<End> => {
  const byCreator = new Map<CreatorId, ExplainedInterval<End>[]>();
  for (const interval of intervals) {
    const explained = clipped(interval, month, through);
    if (explained.length <= 0) continue;
    const own = byCreator.get(interval.creatorId);
    if (own === undefined) byCreator.set(interval.creatorId, [explained]);
    else own.push(explained);
  }
  const creators = [...byCreator]
    .map(([creatorId, own]): ExplainedCreator<End> => {
      const sorted = own.toSorted((a, b) => a.from - b.from);
      return {
        creatorId,
        active: sumOf(sorted.map(({ length }) => length)),
        days: daysOf([sorted]),
        intervals: sorted,
      };
    })
    .toSorted((a, b) => (a.creatorId < b.creatorId ? -1 : 1));
  return {
    ...account,
    month,
    through,
    active: sumOf(creators.map(({ active }) => active)),
    days: daysOf(creators.map((creator) => creator.intervals)),
    creators,
  };
};

const clipped = <End extends Pick<Switch, 'at'>>(
  { opened, closed }: ProtectionInterval<End>,
  month: Month,
  through: Instant,
): ExplainedInterval<End> => {
  const from = Math.max(opened.at, spanOf(month).start);
  const to = Math.min(closed?.at ?? through, through);
  return { from, to, length: to - from, opened, closed };
};

/** What lies in each day that has any; each list is one creator's. */
const daysOf = (lists: readonly (readonly Pick<ExplainedInterval, 'from' | 'to'>[])[]): readonly DayShare[] => {
  const days = new Map<Day, { active: Duration; creators: number }>();
  for (const list of lists) {
    const seen = new Set<Day>();
    for (const { from, to } of list) {
      for (const { day, length } of splitByDay(from, to)) {
        const { active, creators } = days.get(day) ?? { active: 0, creators: 0 };
        days.set(day, { active: active + length, creators: creators + Number(!seen.has(day)) });
        seen.add(day);
      }
    }
  }
  return [...days].map(([day, share]) => ({ day, ...share })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
};

const sumOf = (lengths: readonly Duration[]): Duration => lengths.reduce((sum, length) => sum + length, 0);

/** Every day of the month up to `through`, also those without any active time: what a chart shows. */
export const daysThrough = (month: Month, through: Instant): readonly Day[] =>
  splitByDay(spanOf(month).start, Math.max(through, spanOf(month).start)).map(({ day }) => day);
