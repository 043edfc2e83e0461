import type { CreatorId, PublicEventId, Revision, StreamName } from '#kernel';
import type { PublicEvent, PublicEventType } from './public-event.js';

/** A reference to an event of the log that is valid in any store. */
export interface EventReference {
  readonly eventId: string;
  readonly stream: StreamName;
  readonly revision: Revision;
}

/** The public sequence of one workspace: its order is the order in which agencies read it (D57). */
export interface EventPublished {
  readonly type: 'eventFeed.eventPublished.v1';
  readonly data: {
    readonly eventId: PublicEventId;
    readonly eventType: PublicEventType;
    readonly creatorId: CreatorId;
    /** The log has been published up to here; publishing resumes here after a crash (D58). */
    readonly cause: EventReference;
    /**
     * The event that requested a retry, if the cause had been set aside (D67). The log has been published up to that
     * event, because the cause is earlier in the log than what the feed announced before.
     */
    readonly retry?: EventReference;
    readonly personal: { readonly bytes: string };
  };
}

export const EVENT_FEED = 'eventFeed';

export const publish = (
  { id, type, creatorId, bytes }: PublicEvent,
  cause: EventReference,
  retry?: EventReference,
): EventPublished => ({
  type: 'eventFeed.eventPublished.v1',
  data: { eventId: id, eventType: type, creatorId, cause, ...(retry && { retry }), personal: { bytes } },
});

/** The event up to which the log had been published at that time. */
export const publishedThrough = ({ cause, retry }: EventPublished['data']): EventReference => retry ?? cause;
