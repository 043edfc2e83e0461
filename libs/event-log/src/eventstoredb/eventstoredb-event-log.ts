import {
  type Appended,
  type Duration,
  type EventLog,
  type EventToAppend,
  type ExpectedRevision,
  type LogPage,
  type Position,
  type ReadLog,
  type ReadStream,
  type RecordedEvent,
  StoreUnavailable,
  type StreamName,
} from '#kernel';
import { encodeAppend } from '../encoded-append.js';
import type { Connection } from './connection.js';
import { follow } from './follow.js';
import { Reader } from './reader.js';
import { Tail } from './tail.js';
import { AppendCalls, Writer } from './writer.js';

export interface RetryOptions {
  readonly attemptTimeout: Duration;
  readonly retryFor: Duration;
}

export class EventStoreDbEventLog implements EventLog {
  readonly tail: Tail;
  readonly #calls: AppendCalls;
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #over = new AbortController();
  #closing: Promise<void> | undefined;

  constructor(
    private readonly connection: Connection,
    retry: RetryOptions,
  ) {
    this.#calls = new AppendCalls(connection, retry.attemptTimeout);
    this.#reader = new Reader(connection, retry);
    this.#writer = new Writer(this.#calls, this.#reader, retry.retryFor);
    this.tail = new Tail(connection, retry.retryFor, this.#over.signal);
  }

  async append(stream: StreamName, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<Appended> {
    const append = encodeAppend(stream, expected, events);
    this.#assertOpen();
    const appending = this.#writer.append(append);
    this.#underWay.add(appending);
    const settled = () => this.#underWay.delete(appending);
    appending.then(settled, settled);
    return appending;
  }

  async readStream(stream: StreamName, options: ReadStream = {}): Promise<RecordedEvent[]> {
    this.#assertOpen();
    return this.#reader.stream(stream, options);
  }

  async readLog(options: ReadLog): Promise<LogPage> {
    this.#assertOpen();
    return this.#reader.log(options);
  }

  follow({ signal, ...options }: ReadLog & { readonly signal: AbortSignal }): AsyncIterable<LogPage> {
    const following = { tail: this.tail, reader: this.#reader };
    return follow(following, options, AbortSignal.any([signal, this.#over.signal]));
  }

  async head(): Promise<Position> {
    this.#assertOpen();
    return this.#reader.head();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#over.abort();
    await Promise.allSettled(this.#underWay);
    await this.#calls.close();
    await this.connection.close();
  }

  #assertOpen(): void {
    if (this.#over.signal.aborted) throw new StoreUnavailable('the event log is closed');
  }
}
