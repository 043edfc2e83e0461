import type { Instant } from '#kernel';
import type { ProtectionInterval } from '../domain/protection-intervals.js';
import type { UsageInterval } from './usage-intervals.js';

export type IntervalEnd = { readonly at: Instant };

/** What an index of the intervals has of one. */
export type Entry = Pick<UsageInterval, 'id' | 'creatorId' | 'from'> & { readonly to?: Instant | null };

/** Names the interval in all months. */
export const keyOf = ({ creatorId, from }: Entry): string => `${creatorId}:${from}`;

export const intervalOf = ({ creatorId, from, to = null }: Entry): ProtectionInterval<IntervalEnd> => ({
  creatorId,
  opened: { at: from },
  closed: to === null ? null : { at: to },
});

/** The latest time in the intervals that has passed. */
export const lastTimeOf = (entries: readonly Entry[], now: Instant): Instant =>
  entries.reduce((last, { from, to }) => Math.max(last, ...[from, to ?? 0].filter((at) => at <= now)), 0);
