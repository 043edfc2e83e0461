import type { Instant } from '#kernel';
import { type Month, spanOf } from '../domain/month.js';
import type { ProtectionInterval } from '../domain/protection-intervals.js';
import type { Entry } from './usage-intervals.js';

export type IntervalEnd = { readonly at: Instant };

export const intervalOf = ({ creatorId, from, to = null }: Entry): ProtectionInterval<IntervalEnd> => ({
  creatorId,
  opened: { at: from },
  closed: to === null ? null : { at: to },
});

/** Those of a month, with the open ones that began in an earlier one. What ended between the two reads is in both. */
export const withEarlier = (month: Month, ofMonth: readonly Entry[], open: readonly Entry[]): Entry[] => {
  const ended = new Set(ofMonth.map(keyOf));
  const earlier = open.filter((entry) => entry.from < spanOf(month).start && !ended.has(keyOf(entry)));
  return [...ofMonth, ...earlier];
};

/** Until when the entries say what was active. A read model that is behind says it until its last event. */
export const measuredThrough = (month: Month, entries: readonly Entry[], isBehind: boolean, now: Instant): Instant => {
  const { start, end } = spanOf(month);
  return Math.min(end, isBehind ? Math.max(start, lastTimeOf(entries, now)) : now);
};

/** Names the interval in all months. */
const keyOf = ({ creatorId, from }: Entry): string => `${creatorId}:${from}`;

/** The latest time in the intervals that has passed. */
const lastTimeOf = (entries: readonly Entry[], now: Instant): Instant =>
  entries.reduce((last, { from, to }) => Math.max(last, ...[from, to ?? 0].filter((at) => at <= now)), 0);
