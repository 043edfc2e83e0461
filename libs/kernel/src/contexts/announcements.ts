import type { Decider } from '../deciding/decider.js';
import type { DomainEvent, RecordedEvent } from '../events/event.js';
import type { CreatorId } from '../ids.js';

/** What one event announces to agencies, in the feed and by webhook. */
export interface PublicAnnouncement {
  readonly type: string;
  readonly creatorId: CreatorId;
  /** The fields of `data`, without `creator_id`. */
  readonly data: object;
}

// A method's type, so that one list can hold the rows of all contexts: each row gets only its own events.
type Announce<State, Event extends DomainEvent, Public, Options> = {
  of(before: State, after: State, event: RecordedEvent<Event>, options: Options): readonly Public[];
}['of'];

/** A row for each event type: one that is forgotten does not compile. */
export type Announcements<State, Event extends DomainEvent, Public extends PublicAnnouncement, Options = unknown> = {
  readonly [Type in Event['type']]: Announce<State, Extract<Event, { type: Type }>, Public, Options>;
};

/** The row of an event type that is never announced. The publisher does not even read such events. */
export const announcesNothing = (): readonly never[] => [];

export interface AnnouncedStreams<
  State = unknown,
  Event extends DomainEvent = DomainEvent,
  Public extends PublicAnnouncement = PublicAnnouncement,
  Options = unknown,
> {
  /** Folds the states just before and after an event; null where the events alone say all, and the rows get null. */
  readonly decider: Decider<State, Event> | null;
  readonly rows: Announcements<State, Event, Public, Options>;
}
