import type { AgencyEvent } from '#agencies';
import {
  type AgencyId,
  derivedId,
  type EventLog,
  type Instant,
  type RecordedEvent,
  type Revision,
  streamName,
} from '#kernel';
import { isSwitch, type ProtectionInterval, protectionIntervals, SWITCHES, switchedAt } from '#usage';
import { boundAt, type Moment } from './moment.js';

/** An event of the log, in terms that are valid in every copy. */
export interface EventReference {
  readonly id: string;
  readonly stream: string;
  readonly revision: Revision;
}

export interface VisibleEvents {
  readonly last: RecordedEvent | undefined;
  /** How many events the log holds up to the last one seen. */
  readonly events: number;
  readonly intervals: readonly ProtectionInterval[];
  /** When the account began; null if that is not among the events. */
  readonly since: Instant | null;
}

/** Which events of a log are visible from a point of it. */
export interface View {
  readonly at: Instant;
  /** Set if the point is a time: intervals are then those of that time. */
  readonly by?: Instant;
  isSeen(event: RecordedEvent, number: number): boolean;
}

/** Of the present unless a moment is given. Throws `UnknownEvent`. */
export const viewFrom = async (log: EventLog, asOf: Moment | undefined, now: Instant): Promise<View> => {
  if (asOf === undefined) return { at: now, isSeen: () => true };
  if (asOf.kind === 'time') return viewBy(asOf.at);
  const { at, isNotAfter } = await boundAt(log, asOf);
  return { at, isSeen: isNotAfter };
};

/** A pause may bear a later time than the clock showed, and its interval ends at what the clock showed (D44). */
export const viewBy = (by: Instant): View => ({
  at: by,
  by,
  isSeen: (event) => (isSwitch(event) ? switchedAt(event) : event.metadata.at) <= by,
});

/** Selects from the first `sealed` events, because no seal covers later ones yet. */
export const visibleEventsOf = async (
  log: AsyncIterable<RecordedEvent>,
  { by, isSeen }: Omit<View, 'at'>,
  agencyId: AgencyId,
  sealed = Number.POSITIVE_INFINITY,
): Promise<VisibleEvents> => {
  let last: RecordedEvent | undefined;
  let events = 0;
  let since: Instant | null = null;
  const account = streamName('agency', agencyId);
  async function* seen(): AsyncGenerator<RecordedEvent> {
    let number = 0;
    for await (const event of log) {
      number++;
      if (isSeen(event, number)) {
        last = event;
        events = number;
        if (event.type === FIRST_BINDING && event.stream === account) since ??= event.metadata.at;
      }
      if (by !== undefined || number === events) yield event;
      if (number >= sealed) return;
    }
  }
  const intervals = await protectionIntervals(seen(), derivedId('workspace', agencyId), by);
  return { last, events, intervals, since };
};

/** The event with which an account begins (D22). */
const FIRST_BINDING: AgencyEvent['type'] = 'agency.bound.v1';

/** The event types that give the intervals and the beginning of an account. */
export const ACCOUNTED: ReadonlySet<string> = new Set([...SWITCHES, FIRST_BINDING]);
