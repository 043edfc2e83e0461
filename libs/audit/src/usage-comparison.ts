import { invalidRequest } from '#kernel';
import type { DocumentedCreator, DocumentedInterval, DocumentedSwitch, UsageDocument } from './usage-document.js';

/** Why a creator's time differs: each reason, with its part of the difference in milliseconds. */
export interface Reason {
  /**
   * `went_on`: open in both documents, so time has passed. `not_in_this_log`: the earlier statement has an interval, or
   * an end of one, that this log lacks; the two logs have different histories.
   */
  readonly kind: 'began' | 'ended' | 'went_on' | 'not_in_this_log';
  readonly milliseconds: number;
  readonly event: DocumentedSwitch;
}

/** Explains each difference between an earlier document and a later one by the events between the two. */
export const compareUsage = (before: UsageDocument, after: UsageDocument) => {
  for (const member of ['agency_id', 'month'] as const) {
    if (before[member] === after[member]) continue;
    throw invalidRequest({ field: 'the other file', message: `is about ${before[member]}` });
  }
  const earlier = new Map(before.creators.map((creator) => [creator.creator_id, creator]));
  const later = new Map(after.creators.map((creator) => [creator.creator_id, creator]));
  const ids = [...new Set([...earlier.keys(), ...later.keys()])].toSorted();
  return {
    kind: 'usage_comparison' as const,
    agency_id: after.agency_id,
    month: after.month,
    before: comparedOf(before),
    after: comparedOf(after),
    /** Only differences; their sum is the difference of the totals. */
    creators: ids
      .map((id) => differenceOf(id, earlier.get(id), later.get(id)))
      .filter(({ reasons }) => reasons.length > 0),
  };
};

export type UsageComparison = ReturnType<typeof compareUsage>;

const comparedOf = ({ measured_through, price, totals }: UsageDocument) => ({ measured_through, price, totals });

const differenceOf = (
  creatorId: string,
  before: DocumentedCreator | undefined,
  after: DocumentedCreator | undefined,
) => {
  const opened = new Map(before?.intervals.map((interval) => [interval.opened_by.event_id, interval]));
  const reasons: Reason[] = [];
  for (const interval of after?.intervals ?? []) {
    reasons.push(...reasonsOf(opened.get(interval.opened_by.event_id), interval));
    opened.delete(interval.opened_by.event_id);
  }
  for (const gone of opened.values()) {
    reasons.push({ kind: 'not_in_this_log', milliseconds: -gone.active_milliseconds, event: gone.opened_by });
  }
  const beforeTime = before?.active_milliseconds ?? 0;
  const afterTime = after?.active_milliseconds ?? 0;
  return {
    creator_id: creatorId,
    before_milliseconds: beforeTime,
    after_milliseconds: afterTime,
    difference_milliseconds: afterTime - beforeTime,
    reasons,
  };
};

const reasonsOf = (before: DocumentedInterval | undefined, after: DocumentedInterval): Reason[] => {
  const milliseconds = after.active_milliseconds - (before?.active_milliseconds ?? 0);
  if (before === undefined) return [{ kind: 'began', milliseconds, event: after.opened_by }];
  if (before.closed_by !== null && before.closed_by.event_id !== after.closed_by?.event_id) {
    return [{ kind: 'not_in_this_log', milliseconds, event: before.closed_by }];
  }
  if (before.closed_by === null && after.closed_by !== null) {
    return [{ kind: 'ended', milliseconds, event: after.closed_by }];
  }
  return milliseconds === 0 ? [] : [{ kind: 'went_on', milliseconds, event: after.opened_by }];
};
