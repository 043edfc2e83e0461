import {
  type Appended,
  type Cache,
  Caches,
  type EventLog,
  type EventMetadata,
  type EventToAppend,
  type ExpectedRevision,
  InvalidAppend,
  type LogChanges,
  type LogTail,
  NO_EVENTS,
  type Position,
  type ReadStream,
  type RecordedEvent,
  type Revision,
  type StreamName,
  WrongExpectedRevision,
} from '#kernel';
import { type EventHash, hashEvent, hasLineBreak, NO_HASH, withHash } from './event-hash.js';

/** The end of a stream as it was last seen. Committed events never change, so it may be behind but is never wrong. */
interface Link {
  readonly revision: Revision;
  readonly hash: EventHash;
}

/** About 20,000 streams. */
const LIMITS = { bytes: 6 * 1024 * 1024, entryBytes: 300 };

/**
 * A log that adds to each event's metadata a hash of the stored event and of the previous hash in its stream. It must be
 * directly above the store: layers that change events (encryption, upcasting) are above it, so that the hashes cover
 * exactly what is stored.
 */
export const withHashChain = (log: EventLog, caches = Caches.ON): EventLog => new ChainedLog(log, caches);

class ChainedLog implements EventLog {
  readonly tail: LogTail | undefined;
  readonly #links: Cache<StreamName, Link>;
  /** The last append of each stream that waits for the store. */
  readonly #underWay = new Map<StreamName, Promise<unknown>>();

  constructor(
    private readonly log: EventLog,
    caches: Caches,
  ) {
    this.#links = caches.create(LIMITS);
    this.tail = log.tail;
  }

  append(stream: StreamName, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<Appended> {
    try {
      // Serialized now, because the caller may change them while the append waits.
      const texts = events.map((event) => asText(stream, event));
      return this.#underWay.has(stream)
        ? this.#appendInTurn(stream, expected, texts)
        : this.#append(stream, expected, texts);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async readStream(stream: StreamName, options?: ReadStream): Promise<RecordedEvent[]> {
    const events = await this.log.readStream(stream, options);
    this.#see(stream, options?.direction === 'backwards' ? events[0] : events.at(-1));
    return events;
  }

  changesSince = (after: Position): LogChanges | undefined => this.log.changesSince?.(after);
  readLog: EventLog['readLog'] = (options) => this.log.readLog(options);
  follow: EventLog['follow'] = (options) => this.log.follow(options);
  head: EventLog['head'] = () => this.log.head();
  close: EventLog['close'] = () => this.log.close();

  /** The next append follows what this one has stored, so it waits for its outcome. */
  async #appendInTurn(stream: StreamName, expected: ExpectedRevision, events: readonly Unhashed[]): Promise<Appended> {
    for (;;) {
      const underWay = this.#underWay.get(stream);
      if (underWay === undefined) break;
      await underWay.catch(() => undefined);
    }
    return this.#append(stream, expected, events);
  }

  #append(stream: StreamName, expected: ExpectedRevision, events: readonly Unhashed[]): Promise<Appended> {
    if (expected === 'any') return this.#appendAnywhere(stream, events);
    if (expected === 'none') return this.#appendAfter(BEGINNING, stream, expected, events);
    const link = this.#links.get(stream);
    return link?.revision === expected
      ? this.#appendAfter(link, stream, expected, events)
      : this.#appendUnseen(stream, expected, events);
  }

  #appendAfter(
    link: Link,
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly Unhashed[],
  ): Promise<Appended> {
    let { revision, hash } = link;
    const chained = events.map((event): EventToAppend => {
      revision++;
      hash = hashEvent(event, stream, revision, hash);
      return withItsHash(event, hash);
    });
    const isOver = () => {
      if (this.#underWay.get(stream) === appending) this.#underWay.delete(stream);
    };
    const appending = this.log.append(stream, expected, chained).then(
      (appended) => {
        isOver();
        this.#links.set(stream, { revision, hash });
        return appended;
      },
      (error: unknown) => {
        isOver();
        // The append may or may not have happened, so the end of the stream has to be read again.
        this.#links.delete(stream);
        throw error;
      },
    );
    this.#underWay.set(stream, appending);
    return appending;
  }

  async #appendUnseen(stream: StreamName, expected: Revision, events: readonly Unhashed[]): Promise<Appended> {
    const [last] = await this.log.readStream(stream, { from: expected, limit: 1 });
    if (last === undefined) return this.#refused(stream, expected);
    return this.#appendAfter(linkTo(last), stream, expected, events);
  }

  async #refused(stream: StreamName, expected: ExpectedRevision): Promise<never> {
    throw new WrongExpectedRevision(stream, expected, (await this.#lastOf(stream))?.revision ?? NO_EVENTS);
  }

  /** A hash needs the previous one: appends at the present end, and repeats for as long as other writers are faster. */
  async #appendAnywhere(stream: StreamName, events: readonly Unhashed[]): Promise<Appended> {
    for (;;) {
      const last = await this.#lastOf(stream);
      const link = last === undefined ? BEGINNING : linkTo(last);
      try {
        return await this.#appendAfter(link, stream, last?.revision ?? 'none', events);
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  }

  async #lastOf(stream: StreamName): Promise<RecordedEvent | undefined> {
    const [last] = await this.log.readStream(stream, { direction: 'backwards', limit: 1 });
    return last;
  }

  #see(stream: StreamName, last: RecordedEvent | undefined): void {
    if (last === undefined || this.#underWay.has(stream)) return;
    if (last.revision > (this.#links.peek(stream)?.revision ?? NO_EVENTS)) this.#links.set(stream, linkTo(last));
  }
}

const BEGINNING: Link = { revision: NO_EVENTS, hash: NO_HASH };

const linkTo = ({ revision, metadata }: RecordedEvent): Link => ({ revision, hash: metadata.hash ?? NO_HASH });

interface Unhashed extends EventToAppend {
  readonly json: { readonly data: string; readonly metadata: string };
}

const asText = (stream: StreamName, { id, type, data, metadata }: EventToAppend): Unhashed => {
  if (hasLineBreak(stream) || hasLineBreak(id) || hasLineBreak(type)) {
    throw new InvalidAppend(`an append to ${stream} has a line break in a name`);
  }
  try {
    const json = { data: JSON.stringify(data), metadata: JSON.stringify(withoutHash(metadata)) };
    return { id, type, data, metadata, json };
  } catch (error) {
    throw new InvalidAppend(`${type} for ${stream} is not JSON: ${String(error)}`);
  }
};

const withoutHash = (metadata: EventMetadata): EventMetadata => {
  if (metadata.hash === undefined) return metadata;
  const { hash: _, ...rest } = metadata;
  return rest;
};

const withItsHash = ({ id, type, data, metadata, json }: Unhashed, hash: EventHash): EventToAppend => ({
  id,
  type,
  data,
  metadata: { ...metadata, hash },
  json: { data: json.data, metadata: withHash(json.metadata, hash) },
});
