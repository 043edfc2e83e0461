import type { DocumentedCreator, DocumentedInterval, DocumentedSwitch, UsageDocument } from './usage-document.js';

/** Why a creator's time differs: each reason, with its part of the difference in milliseconds. */
export type Reason =
  | { readonly kind: 'began'; readonly milliseconds: number; readonly event: DocumentedSwitch }
  | { readonly kind: 'ended'; readonly milliseconds: number; readonly event: DocumentedSwitch }
  /** Open in both documents: time has passed. */
  | { readonly kind: 'went_on'; readonly milliseconds: number; readonly event: DocumentedSwitch }
  /** The earlier statement has an interval, or an end of one, that this log lacks: they have different histories. */
  | { readonly kind: 'not_in_this_log'; readonly milliseconds: number; readonly event: DocumentedSwitch };

export interface CreatorDifference {
  readonly creator_id: string;
  readonly before_milliseconds: number;
  readonly after_milliseconds: number;
  readonly difference_milliseconds: number;
  readonly reasons: readonly Reason[];
}

export interface UsageComparison {
  readonly kind: 'usage_comparison';
  readonly agency_id: string;
  readonly month: string;
  readonly before: Compared;
  readonly after: Compared;
  /** Only differences; their sum is the difference of the totals. */
  readonly creators: readonly CreatorDifference[];
}

type Compared = Pick<UsageDocument, 'measured_through' | 'price' | 'totals'>;

/** Two statements that cannot be compared: of other agencies, other months, or of single creators. */
export class NotComparable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotComparable';
  }
}

/** Explains each difference between an earlier document and a later one by the events that came between the two. */
export const compareUsage = (before: UsageDocument, after: UsageDocument): UsageComparison => {
  if (before.agency_id !== after.agency_id) throw new NotComparable(`the other file is about ${before.agency_id}`);
  if (before.month !== after.month) throw new NotComparable(`the other file is about ${before.month}`);
  const earlier = new Map(before.creators.map((creator) => [creator.creator_id, creator]));
  const later = new Map(after.creators.map((creator) => [creator.creator_id, creator]));
  const ids = [...new Set([...earlier.keys(), ...later.keys()])].toSorted();
  return {
    kind: 'usage_comparison',
    agency_id: after.agency_id,
    month: after.month,
    before: comparedOf(before),
    after: comparedOf(after),
    creators: ids
      .map((id) => differenceOf(id, earlier.get(id), later.get(id)))
      .filter(({ reasons }) => reasons.length > 0),
  };
};

const comparedOf = ({ measured_through, price, totals }: UsageDocument): Compared => ({
  measured_through,
  price,
  totals,
});

const differenceOf = (
  creatorId: string,
  before: DocumentedCreator | undefined,
  after: DocumentedCreator | undefined,
): CreatorDifference => {
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
