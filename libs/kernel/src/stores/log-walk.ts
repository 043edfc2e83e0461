import type { RecordedEvent, StreamName } from '../events/event.js';
import type { EventLog, LogFilter } from './event-log.js';

const EVENTS_PER_PAGE = 1_000;
/** The log ends a page after some megabytes, a stream does not: that many of the largest events take some tens of them. */
const EVENTS_PER_STREAM_PAGE = 100;

/** All events of the log that match, in its order, up to the head as it is found at the end. */
export async function* eventsOf(log: EventLog, filter: LogFilter = {}): AsyncGenerator<RecordedEvent> {
  for (let after = 0, atEnd = false; !atEnd; ) {
    const page = await log.readLog({ ...filter, after, limit: EVENTS_PER_PAGE });
    yield* page.events;
    after = page.reached;
    atEnd = page.atEnd;
  }
}

/** All events of one stream, in order. */
export async function* eventsOfStream(log: EventLog, stream: StreamName): AsyncGenerator<RecordedEvent> {
  for (let from = 0; ; ) {
    const page = await log.readStream(stream, { from, limit: EVENTS_PER_STREAM_PAGE });
    yield* page;
    if (page.length < EVENTS_PER_STREAM_PAGE) return;
    from += page.length;
  }
}
