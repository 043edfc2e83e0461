import type { EventInLog, EventToAppend, Position, RecordedEvent, Revision, StreamName } from '../events/event.js';

/** The last revision that the writer expects the stream to have; `none`: the stream must not exist. */
export type ExpectedRevision = Revision | 'none' | 'any';

/** The bytes are those of the JSON of data and metadata, and of the ids. */
export const MAX_APPEND_EVENTS = 500;
export const MAX_APPEND_BYTES = 512 * 1024;

export interface Appended {
  readonly revision: Revision;
  readonly position: Position;
}

export interface ReadStream {
  /** The first revision to return; default: 0 forwards, the end backwards. */
  readonly from?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface LogFilter {
  /** Only events of these types. Other events are not parsed. */
  readonly types?: ReadonlySet<string>;
  readonly categories?: ReadonlySet<string>;
}

export interface ReadLog extends LogFilter {
  readonly after: Position;
  /** The maximum number of events; default: 1,000. */
  readonly limit?: number;
}

/** With a filter, a page may have no events although it is not at the end, because a store bounds the work of one read. */
export interface LogPage {
  readonly events: readonly RecordedEvent[];
  readonly reached: Position;
  /** The last event of the log up to `reached`, filtered out or not; undefined where the store would need a further read. */
  readonly last?: EventInLog | undefined;
  /** No event followed `reached` when the page was read. */
  readonly atEnd: boolean;
}

/** The stream has another revision than the writer expected; nothing was written. */
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

/** The append is empty, exceeds the limits, is not JSON, or reuses event ids for other events. */
export class InvalidAppend extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidAppend';
  }
}

/** The store cannot be reached or has failed; the operation may or may not have happened. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

export interface LogChanges {
  readonly head: Position;
  /** The last revision of each stream that has grown; undefined if too many events follow to look through them. */
  readonly ends: ReadonlyMap<StreamName, Revision> | undefined;
}

export interface SeenEvent {
  readonly stream: string;
  readonly revision: Revision;
  readonly type: string;
}

/** The one reader of a process that follows the log from its end. */
export interface LogTail {
  /**
   * Shows each event, before the tail reports that it has passed it; without an event where some may have been missed,
   * as after a lost connection.
   */
  watch(seen: (event: SeenEvent | undefined) => void): void;
  /**
   * Asks where the log ends. Resolves to true when watchers have seen all up to there: of all that was committed
   * before the call. To false if the tail does not get there soon.
   */
  passesEnd(): Promise<boolean>;
}

/** The append-only log of all events, from which everything else can be built again. */
export abstract class EventLog {
  /**
   * Appends all events or none, durably. With `none` or an exact revision, a repeat of the same event ids returns the
   * first result; a part of them, or at another revision, is refused. Later changes of the objects have no effect.
   * Rejects with `WrongExpectedRevision`, `InvalidAppend` or `StoreUnavailable`.
   */
  abstract append(stream: StreamName, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<Appended>;
  /**
   * The events of the stream in the given direction; `[]` if the stream does not exist. Fewer than `limit` come only if no
   * more follow. A store lets the process have its turn between parts of some megabytes; the caller bounds the memory.
   */
  abstract readStream(stream: StreamName, options?: ReadStream): Promise<RecordedEvent[]>;
  /**
   * The streams that any process has appended to after the position; undefined if the store cannot tell. A store omits
   * the method if an answer would not be nearly free.
   */
  changesSince?(after: Position): LogChanges | undefined;
  /** Missing in a store that this process can ask without a network call. */
  readonly tail?: LogTail | undefined;
  /** A page of the log in the order of positions, which is the same for every reader. */
  abstract readLog(options: ReadLog): Promise<LogPage>;
  /**
   * Pages of at most `limit` events: first the existing events, then new ones. Each page has a larger `reached`, also if
   * the filter leaves it empty. Ends when the signal is aborted or the log is closed. Throws `StoreUnavailable`.
   */
  abstract follow(options: ReadLog & { readonly signal: AbortSignal }): AsyncIterable<LogPage>;
  /** The position of the last event, 0 for an empty log. */
  abstract head(): Promise<Position>;
  /** Waits for the appends under way and ends the followers. */
  abstract close(): Promise<void>;
}
