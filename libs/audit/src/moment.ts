import { type EventLog, eventsOf, type Instant, notFound, parseId, type RecordedEvent } from '#kernel';

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

/** `not_found` if no event of the log has the id. */
export const eventNamed = async (log: EventLog, eventId: string): Promise<RecordedEvent> => {
  for await (const event of eventsOf(log)) if (isNamed(event, eventId)) return event;
  throw notFound('the log', `has no event ${eventId}`);
};

/** Limits events to those decided up to a time, or those in the log up to an event; both are inclusive. */
export interface Bound {
  readonly at: Instant;
  isNotBefore(event: RecordedEvent): boolean;
  isNotAfter(event: RecordedEvent): boolean;
}

/** `not_found` if the log has no such event. */
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
