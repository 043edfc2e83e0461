import { type EventLog, eventsOf, type Instant, parseId, type RecordedEvent } from '#kernel';

/** A point of the log: a time, or an event by its id in the log or in the feed. */
export type Moment =
  | { readonly kind: 'time'; readonly at: Instant }
  | { readonly kind: 'event'; readonly eventId: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id if the text has the form of an event's id. */
export const eventIdIn = (text: string): string | undefined => {
  const id = text.toLowerCase();
  return UUID.test(id) || parseId('event', text) !== undefined ? id : undefined;
};

/** Whether the event has that id, in the log or in the feed. */
export const isNamed = (event: RecordedEvent, eventId: string): boolean =>
  event.id === eventId ||
  ('eventId' in event.data && event.data.eventId === eventId && event.type.startsWith('eventFeed.'));

/** No event of the log has the id. */
export class UnknownEvent extends Error {
  constructor(readonly eventId: string) {
    super(`the log has no event ${eventId}`);
    this.name = 'UnknownEvent';
  }
}

export const eventNamed = async (log: EventLog, eventId: string): Promise<RecordedEvent> => {
  for await (const event of eventsOf(log)) if (isNamed(event, eventId)) return event;
  throw new UnknownEvent(eventId);
};

/** What was decided by a time, or what the log held with an event; both include the moment itself. */
export interface Bound {
  readonly at: Instant;
  isNotBefore(event: RecordedEvent): boolean;
  isNotAfter(event: RecordedEvent): boolean;
}

/** Throws `UnknownEvent` if the log has no such event. */
export const boundAt = async (log: EventLog, moment: Moment): Promise<Bound> => {
  if (moment.kind === 'time') {
    const { at } = moment;
    return { at, isNotBefore: ({ metadata }) => metadata.at >= at, isNotAfter: ({ metadata }) => metadata.at <= at };
  }
  const { position, metadata } = await eventNamed(log, moment.eventId);
  return {
    at: metadata.at,
    isNotBefore: (event) => event.position >= position,
    isNotAfter: (event) => event.position <= position,
  };
};
