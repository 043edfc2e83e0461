import { type Instant, parseId, type RecordedEvent } from '#kernel';

/** A point of the log: a time, or an event by its id in the log or in the feed. */
export type Moment =
  | { readonly kind: 'time'; readonly at: Instant }
  | { readonly kind: 'event'; readonly eventId: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A date, or a date and a time in UTC or with its offset: never a time of wherever the tool happens to run. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;
const EPOCH_MILLISECONDS = /^\d{1,15}$/;

/** The text as an ISO 8601 time (a date alone is its beginning in UTC), epoch milliseconds or an event's id. */
export const parseMoment = (text: string): Moment | undefined => {
  const lower = text.toLowerCase();
  if (UUID.test(lower) || parseId('event', text) !== undefined) return { kind: 'event', eventId: lower };
  if (EPOCH_MILLISECONDS.test(text)) return { kind: 'time', at: Number(text) };
  const at = ISO_8601.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : { kind: 'time', at };
};

/** Whether the event is the one of that id, which may be the id under which agencies know it. */
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

/**
 * The events up to a moment: those decided by that time, or those that the log holds up to that event. All where no
 * moment is given. Throws `UnknownEvent` at the end of a log that does not hold it.
 */
export async function* upTo(events: AsyncIterable<RecordedEvent>, moment?: Moment): AsyncGenerator<RecordedEvent> {
  for await (const event of events) {
    if (moment?.kind === 'time' && event.metadata.at > moment.at) continue;
    yield event;
    if (moment?.kind === 'event' && isNamed(event, moment.eventId)) return;
  }
  if (moment?.kind === 'event') throw new UnknownEvent(moment.eventId);
}

/** The events from a moment on, the one named included. */
export async function* since(events: AsyncIterable<RecordedEvent>, moment?: Moment): AsyncGenerator<RecordedEvent> {
  let hasBegun = moment?.kind !== 'event';
  for await (const event of events) {
    if (moment?.kind === 'event' && isNamed(event, moment.eventId)) hasBegun = true;
    if (!hasBegun || (moment?.kind === 'time' && event.metadata.at < moment.at)) continue;
    yield event;
  }
  if (!hasBegun && moment?.kind === 'event') throw new UnknownEvent(moment.eventId);
}
