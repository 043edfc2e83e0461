import { setImmediate } from 'node:timers/promises';
import {
  type Appended,
  categoryOf,
  type EventLog,
  type EventToAppend,
  type ExpectedRevision,
  eventInLog,
  type LogPage,
  NO_EVENTS,
  type Position,
  type ReadLog,
  type ReadStream,
  type RecordedEvent,
  type Revision,
  StoreUnavailable,
  type StreamName,
  WrongExpectedRevision,
} from '#kernel';
import {
  type EventLocation,
  encodeAppend,
  isExpected,
  parseBody,
  recordedBody,
  repeatedAppend,
} from '../../../event-log/src/encoded-append.js';
import { FollowerNotifier, follow } from '../../../event-log/src/follow.js';

/** Positions have gaps, as in other stores, so that no test relies on their differences. */
const STEP = 3;

interface Entry {
  readonly stream: string;
  readonly type: string;
  readonly revision: Revision;
  readonly position: Position;
  readonly body: string;
}

/** An event log for fast tests, without durability. It keeps JSON, as the durable ones do, and shares no object. */
export class InMemoryEventLog implements EventLog {
  readonly #log: Entry[] = [];
  readonly #streams = new Map<string, Entry[]>();
  readonly #locations = new Map<string, EventLocation>();
  readonly #notifier = new FollowerNotifier();

  async append(stream: StreamName, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<Appended> {
    const append = encodeAppend(stream, expected, events);
    this.#assertOpen();
    const last = this.#streams.get(stream)?.at(-1)?.revision ?? NO_EVENTS;
    const before = repeatedAppend(append, (id) => this.#locations.get(id));
    if (before instanceof Error) throw before;
    if (before) return before;
    if (!isExpected(expected, last)) throw new WrongExpectedRevision(stream, expected, last);

    for (const [index, event] of append.events.entries()) {
      const revision = last + 1 + index;
      const position = this.#head() + STEP;
      this.#add(event.id, {
        stream,
        type: event.type,
        revision,
        position,
        body: recordedBody(event.body, revision, position),
      });
    }
    this.#notifier.notify();
    return { revision: last + append.events.length, position: this.#head() };
  }

  async readStream(stream: StreamName, { from, direction, limit }: ReadStream = {}): Promise<RecordedEvent[]> {
    this.#assertOpen();
    const entries = this.#streams.get(stream) ?? [];
    const asked = direction === 'backwards' ? entries.slice(0, (from ?? Infinity) + 1).reverse() : entries.slice(from);
    return asked.slice(0, limit).map((entry) => parseBody(entry.body));
  }

  async readLog({ after, limit = 1_000, types, categories }: ReadLog): Promise<LogPage> {
    // As with a real store, other work runs between two pages.
    await setImmediate();
    this.#assertOpen();
    const events: RecordedEvent[] = [];
    let reached = after;
    for (let index = Math.floor(after / STEP); index < this.#log.length && events.length < limit; index++) {
      const entry = this.#log[index];
      if (!entry) break;
      reached = entry.position;
      if (types && !types.has(entry.type)) continue;
      if (categories && !categories.has(categoryOf(entry.stream))) continue;
      events.push(parseBody(entry.body));
    }
    const last = this.#log[reached / STEP - 1];
    return { events, reached, atEnd: reached >= this.#head(), ...(last && { last: eventInLog(parseBody(last.body)) }) };
  }

  follow(options: ReadLog & { readonly signal: AbortSignal }): AsyncIterable<LogPage> {
    return follow(this, this.#notifier, options);
  }

  async head(): Promise<Position> {
    this.#assertOpen();
    return this.#head();
  }

  async close(): Promise<void> {
    this.#notifier.close();
  }

  #head(): Position {
    return this.#log.length * STEP;
  }

  #add(id: string, entry: Entry): void {
    const entries = this.#streams.get(entry.stream);
    if (entries) entries.push(entry);
    else this.#streams.set(entry.stream, [entry]);
    this.#locations.set(id, entry);
    this.#log.push(entry);
  }

  #assertOpen(): void {
    if (this.#notifier.closed) throw new StoreUnavailable('the event log is closed');
  }
}
