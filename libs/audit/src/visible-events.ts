import type { AgencyEvent } from '#agencies';
import {
  type AgencyId,
  derivedId,
  type EventLog,
  type Instant,
  invalidRequest,
  type RecordedEvent,
  streamName,
} from '#kernel';
import {
  isSwitch,
  type Month,
  type ProtectionInterval,
  protectionIntervals,
  SWITCHES,
  spanOf,
  switchedAt,
} from '#usage';
import { boundAt, type Moment } from './moment.js';

export interface VisibleEvents {
  readonly last: RecordedEvent | undefined;
  /** How many events the log holds up to the last one seen. */
  readonly events: number;
  readonly intervals: readonly ProtectionInterval[];
  /** When the account began; null if that is not among the events. */
  readonly since: Instant | null;
}

export interface View {
  readonly at: Instant;
  /** Set if the moment is a time: intervals are then those of that time. */
  readonly by?: Instant;
  isSeen(event: RecordedEvent, number: number): boolean;
}

/** The view of a month as of now, unless a moment is given. `not_found` if the log has no such event. */
export const viewFrom = async (log: EventLog, asOf: Moment | undefined, month: Month, now: Instant): Promise<View> => {
  // An event may be later than now, if a clock was set back; a requested time may not be.
  if (asOf?.kind === 'time' && asOf.at > now)
    throw invalidRequest({ field: 'as-of', message: 'must not be in the future' });
  const view = asOf === undefined ? { at: now, isSeen: () => true } : await viewAsOf(log, asOf);
  if (spanOf(month).start > view.at)
    throw invalidRequest({ field: 'month', message: 'must not begin after that moment' });
  return view;
};

const viewAsOf = async (log: EventLog, asOf: Moment): Promise<View> => {
  if (asOf.kind === 'time') return viewBy(asOf.at);
  const { at, isNotAfter } = await boundAt(log, asOf);
  return { at, isSeen: isNotAfter };
};

/** A pause may have a later time than the clock showed; its interval ends at the time that the clock showed (D44). */
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

/** The event that begins an account (D22). */
const FIRST_BINDING: AgencyEvent['type'] = 'agency.bound.v1';

/** The event types that give the intervals and the beginning of an account. */
export const ACCOUNTED: ReadonlySet<string> = new Set([...SWITCHES, FIRST_BINDING]);
