import type { AgencyEvent } from '#agencies';
import { type AgencyId, derivedId, type Instant, type RecordedEvent, type Revision, streamName } from '#kernel';
import { isSwitch, type ProtectionInterval, protectionIntervals, switchedAt } from '#usage';

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

/**
 * Whether the event had happened by that time. A pause may bear a later time than the clock showed, and its interval ends
 * at what the clock showed (D44).
 */
export const hadHappened = (event: RecordedEvent, by: Instant): boolean =>
  (isSwitch(event) ? switchedAt(event) : event.metadata.at) <= by;

/**
 * Selects from the first `sealed` events, because no seal covers later ones yet. With `by`, the intervals are those of that
 * time.
 */
export const visibleEventsOf = async (
  log: AsyncIterable<RecordedEvent>,
  sealed: number,
  isSeen: (event: RecordedEvent, number: number) => boolean,
  agencyId: AgencyId,
  by?: Instant,
): Promise<VisibleEvents> => {
  let last: RecordedEvent | undefined;
  let events = 0;
  let since: Instant | null = null;
  const isBeginning = accountBeginnings(agencyId);
  async function* seen(): AsyncGenerator<RecordedEvent> {
    let number = 0;
    for await (const event of log) {
      number++;
      if (isSeen(event, number)) {
        last = event;
        events = number;
        if (isBeginning(event)) since ??= event.metadata.at;
      }
      if (by !== undefined || number === events) yield event;
      if (number >= sealed) return;
    }
  }
  const intervals = await protectionIntervals(seen(), derivedId('workspace', agencyId), by);
  return { last, events, intervals, since };
};

const FIRST_BINDING: AgencyEvent['type'] = 'agency.bound.v1';

/** Recognizes the event with which an account begins (D22). */
export const accountBeginnings = (agencyId: AgencyId) => {
  const stream = streamName('agency', agencyId);
  return (event: Pick<RecordedEvent, 'type' | 'stream'>): boolean =>
    event.type === FIRST_BINDING && event.stream === stream;
};
