import {
  type Duration,
  eventInLog,
  type LogPage,
  NO_EVENTS,
  type Position,
  type ReadLog,
  type ReadStream,
  type RecordedEvent,
  type StoredLog,
  type StoredRecord,
  type StreamName,
} from '#kernel';
import type { Connection } from './connection.js';
import { nothingOfTheDeleted, withRetries } from './failures.js';
import { ByteLimit, type Seen, seen, storedIn } from './recorded.js';
import { eventsOf, headRequest, pageRequest, streamRequest } from './requests.js';

const EVENTS_PER_PAGE = 1_000;

/** The server stores data and metadata as the bytes that were sent, and returns them unchanged. */
export class EventStoreDbStoredLog implements StoredLog {
  constructor(
    private readonly connection: Connection,
    private readonly retryFor: Duration,
  ) {}

  async *pages(): AsyncGenerator<readonly StoredRecord[]> {
    const [last] = await this.#read(headRequest());
    const head = last?.position ?? 0;
    for (let after = NO_EVENTS; after < head; ) {
      // The event at the position itself is returned again.
      const page = await this.#read(pageRequest(Math.max(after, 0), EVENTS_PER_PAGE + 1, {}), after);
      const isNew = page.filter(({ position }) => position > after && position <= head);
      after = page.at(-1)?.position ?? head;
      yield isNew.flatMap(({ event }) => event ?? []);
    }
  }

  async stream(stream: string, from: number, limit: number): Promise<readonly StoredRecord[]> {
    const all = await this.#read(streamRequest(stream as StreamName, { from, limit }));
    return all.flatMap(({ event }) => event ?? []);
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  async #read(request: Parameters<Connection['read']>[0], after?: Position) {
    const limit = () => (after === undefined ? {} : { limit: new ByteLimit(after) });
    const read = () => this.connection.read(request, storedIn, limit()).catch(nothingOfTheDeleted);
    return (await withRetries(read, this.retryFor)).flatMap((one) => one ?? []);
  }
}

export class Reader {
  constructor(
    private readonly connection: Connection,
    private readonly retry: { readonly attemptTimeout: Duration; readonly retryFor: Duration },
  ) {}

  /** Up to `limit` of our events, even if other applications have written to the stream. */
  async stream(
    stream: StreamName,
    { limit = Number.POSITIVE_INFINITY, ...options }: ReadStream,
  ): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    const step = options.direction === 'backwards' ? -1 : 1;
    for (let from = options.from; events.length < limit; ) {
      const asked = limit - events.length;
      const part = await this.#streamPart(stream, { ...options, ...(from !== undefined && { from }), limit: asked });
      for (const { event } of part) if (event) events.push(event);
      const next = (part.at(-1)?.revision ?? 0) + step;
      if (part.length < asked || next < 0) break;
      from = next;
    }
    return events;
  }

  async head(signal?: AbortSignal): Promise<Position> {
    return (await this.last(signal))?.position ?? 0;
  }

  /** The last event that is not a system event; it may belong to another application. */
  async last(signal?: AbortSignal): Promise<Seen | undefined> {
    const { attemptTimeout, retryFor } = this.retry;
    const read = () => this.connection.read(headRequest(), seen, { signal, silence: attemptTimeout });
    const [last] = await withRetries(read, retryFor, signal);
    return last ?? undefined;
  }

  async #streamPart(stream: StreamName, options: ReadStream): Promise<Seen[]> {
    const { attemptTimeout, retryFor } = this.retry;
    const request = streamRequest(stream, options);
    const read = () => this.connection.read(request, seen, { silence: attemptTimeout }).catch(nothingOfTheDeleted);
    return (await withRetries(read, retryFor)).flatMap((one) => one ?? []);
  }

  /** Reads more than requested, to detect whether this is the last page; large events end the page early. */
  async log({ after, limit = 1_000, ...filter }: ReadLog, signal?: AbortSignal): Promise<LogPage> {
    const isFiltered = filter.types !== undefined || filter.categories !== undefined;
    // Read before the page: the page then contains all matching events up to this position.
    const end = isFiltered ? await this.last(signal) : undefined;
    const head = isFiltered ? (end?.position ?? 0) : after;
    // No timeout per attempt: how long a filtered search takes depends on the log.
    const request = pageRequest(after, limit + 2, filter);
    let bytes = new ByteLimit(after);
    const read = () => {
      bytes = new ByteLimit(after);
      return this.connection.read(request, seen, { signal, limit: bytes });
    };
    const all = (await withRetries(read, this.retry.retryFor, signal)).flatMap((one) =>
      one && one.position > after ? one : [],
    );
    const page = all.slice(0, limit);
    const atEnd = all.length <= limit && !bytes.isReached;
    const lastSeen = page.at(-1);
    const last = lastSeen?.position ?? after;
    const named = (lastSeen !== undefined && (!atEnd || last >= head) ? lastSeen : end)?.event;
    return {
      events: eventsOf(page, filter),
      reached: atEnd ? Math.max(last, head) : last,
      atEnd,
      ...(named && { last: eventInLog(named) }),
    };
  }
}
