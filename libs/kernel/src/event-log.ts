import type { EventToAppend, Position, RecordedEvent, Revision, StreamName } from './event.js';

/** What the writer believes the stream's last revision to be: `none` for a stream that must not exist yet. */
export type ExpectedRevision = Revision | 'none' | 'any';

/** One append is 1 to this many events and at most this many bytes of JSON, data and metadata and ids together. */
export const MAX_APPEND_EVENTS = 500;
export const MAX_APPEND_BYTES = 512 * 1024;

export interface Appended {
  /** Revision and position of the last event that was appended. */
  readonly revision: Revision;
  readonly position: Position;
}

export interface ReadStream {
  /** First revision to return; forwards from 0, backwards from the end where it is left out. */
  readonly from?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  /** How many events at most, all where it is left out. */
  readonly limit?: number;
}

export interface LogFilter {
  /** Only events of these types. What is left out is not parsed. */
  readonly types?: ReadonlySet<string>;
  /** Only events of streams of these categories. */
  readonly categories?: ReadonlySet<string>;
}

export interface ReadLog extends LogFilter {
  /** Events after this position; 0 is the beginning. */
  readonly after: Position;
  /** How many events at most, 1,000 where it is left out. */
  readonly limit?: number;
}

/**
 * With a filter a page may hold fewer events than asked for, even none, and yet not be at the end: a store looks only
 * so far in one read.
 */
export interface LogPage {
  readonly events: readonly RecordedEvent[];
  /** All that matches up to here has been seen; at least `after`. To be passed as the next `after`. */
  readonly reached: Position;
  /** Nothing followed `reached` when the page was read. */
  readonly atEnd: boolean;
}

/** The stream was not where the writer expected it; nothing was written. */
export class WrongExpectedRevision extends Error {
  constructor(
    readonly stream: StreamName,
    readonly expected: ExpectedRevision,
    readonly actual: Revision,
  ) {
    super(`${stream} is at revision ${actual}, not at ${expected}`);
    this.name = 'WrongExpectedRevision';
  }
}

/** An append of nothing, over the limits, or not JSON, or one that reuses event ids for something else. */
export class InvalidAppend extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidAppend';
  }
}

/** The store can not be reached or is broken; what was asked may or may not have happened. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

/** The append-only log of all events: the one truth that everything else follows from. */
export interface EventLog {
  /**
   * Appends all or nothing, durably, before it resolves. Under `none` or an exact revision the same event ids
   * appended again give the first result; only some of them, or in another place, are refused. What is stored is what
   * the events were when this was called. Rejects with `WrongExpectedRevision`, `InvalidAppend` or `StoreUnavailable`.
   */
  append(stream: StreamName, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<Appended>;
  /** The stream's events in the asked order; `[]` for one that does not exist. */
  readStream(stream: StreamName, options?: ReadStream): Promise<RecordedEvent[]>;
  /**
   * Whether it is known without waiting that nothing follows the revision in the stream: true is as good as an empty
   * `readStream` from there on, false means that it has to be read. For stores that can tell for next to nothing.
   */
  isAt?(stream: StreamName, revision: Revision): boolean;
  /** A page of the whole log in the order of positions, which is the same for every reader. */
  readLog(options: ReadLog): Promise<LogPage>;
  /**
   * Pages of at most `limit` events from `after` on, for as long as the signal lets it: what is there, then what comes.
   * Each page gets further than the one before, though it may be empty where a filter left all out. Ends when aborted
   * and when the log is closed; throws `StoreUnavailable`.
   */
  follow(options: ReadLog & { readonly signal: AbortSignal }): AsyncIterable<LogPage>;
  /** The position of the last event, 0 for an empty log. */
  head(): Promise<Position>;
  /** Settles the appends under way and ends the followers; whatever is asked later is `StoreUnavailable`. */
  close(): Promise<void>;
}
