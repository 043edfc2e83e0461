import type { RecordedEvent, StreamName } from '../events/event.js';
import { nextPart } from '../next-part.js';
import type { Checkpoint } from './document-store.js';
import type { EventLog, LogFilter, ReadStream } from './event-log.js';

/** D92: a checkpoint of an earlier build names no event, and is believed unless it is beyond the log's end. */
export const isOfLog = async (
  log: Pick<EventLog, 'head' | 'readStream'>,
  { position, event }: Pick<Checkpoint, 'position' | 'event'>,
): Promise<boolean> => {
  if (event === undefined) return position === 0 || position <= (await log.head());
  const [found] = await log.readStream(event.stream, { from: event.revision, limit: 1 });
  return found?.id === event.id && found.position === event.position;
};

const EVENTS_PER_PAGE = 1_000;
/** The log ends a page after some megabytes, a stream does not: that many of the largest events take some tens of them. */
const EVENTS_PER_STREAM_PAGE = 100;
/** Reading the largest events takes a millisecond each. */
const EVENTS_PER_PART = 32;

/** All events of the log after the position that match, in its order, up to the head as it is found at the end. */
export async function* eventsOf(log: EventLog, filter: LogFilter = {}, after = 0): AsyncGenerator<RecordedEvent> {
  for (let reached = after, atEnd = false; !atEnd; ) {
    const page = await log.readLog({ ...filter, after: reached, limit: EVENTS_PER_PAGE });
    yield* page.events;
    reached = page.reached;
    atEnd = page.atEnd;
  }
}

export async function* eventsOfStream(log: EventLog, stream: StreamName): AsyncGenerator<RecordedEvent> {
  for (let from = 0; ; ) {
    const part = await log.readStream(stream, { from, limit: EVENTS_PER_PART });
    yield* part;
    if (part.length < EVENTS_PER_PART) return;
    from += part.length;
    await nextPart();
  }
}

/** The newest first. Each page after the first has ten times as many, up to a limit, because most callers stop early. */
export async function* newestEventsOfStream(
  log: Pick<EventLog, 'readStream'>,
  stream: StreamName,
  firstPage = EVENTS_PER_STREAM_PAGE,
): AsyncGenerator<RecordedEvent> {
  let limit = firstPage;
  for (let options: ReadStream = {}; ; ) {
    const page = await log.readStream(stream, { ...options, direction: 'backwards', limit });
    yield* page;
    const oldest = page.at(-1);
    if (oldest === undefined || oldest.revision === 0) return;
    options = { from: oldest.revision - 1 };
    limit = Math.min(10 * limit, EVENTS_PER_STREAM_PAGE);
  }
}
