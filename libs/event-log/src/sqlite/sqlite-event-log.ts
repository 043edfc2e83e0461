import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { Caches } from '#kernel';
import {
  type Appended,
  type Duration,
  type EventLog,
  type EventToAppend,
  type ExpectedRevision,
  type LogChanges,
  type LogPage,
  type Position,
  type ReadLog,
  type ReadStream,
  type RecordedEvent,
  retryWhileBusy,
  StoreUnavailable,
  type StreamName,
} from '#kernel/ports';
import { StoreWriter } from '#threads';
import { type EncodedAppend, encodeAppend } from '../encoded-append.js';
import { FollowerNotifier, follow } from '../follow.js';
import { CommitPoller } from './commit-poller.js';
import { unavailable } from './connection.js';
import { Reader } from './reader.js';
import { type AppendedMessage, type AppendSettings, appendMessage } from './writer.js';

const NAME = 'the event log';
const MAX_EVENTS = 512;
const MAX_BYTES = 1024 * 1024;
const shareOf = ({ events, bytes }: EncodedAppend): number => Math.max(events.length / MAX_EVENTS, bytes / MAX_BYTES);

export const appendWriter = (settings: AppendSettings): StoreWriter<EncodedAppend, AppendedMessage> => {
  const module = new URL('./appending.thread.js', import.meta.url);
  return new StoreWriter({ name: NAME, module, settings, messageOf: appendMessage, shareOf });
};

export interface RetryOptions {
  readonly busyFor: Duration;
  readonly pollEvery: Duration;
}

/** One connection serves all reads, and no statement outlives its turn; a thread with another connection writes. */
export class SqliteEventLog implements EventLog {
  readonly #reader: Reader;
  #ownEnd: Position = 0;
  readonly #notifier: FollowerNotifier;
  readonly #commitPoller: CommitPoller;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly db: DatabaseSync,
    private readonly file: string,
    private readonly writer: StoreWriter<EncodedAppend, AppendedMessage>,
    private readonly retry: RetryOptions,
    caches: Caches = Caches.ON,
  ) {
    this.#reader = new Reader(db, caches);
    this.#notifier = new FollowerNotifier(() => this.#commitPoller.start());
    const endsWithOwnAppends = () => this.#ownEnd === this.#reader.head();
    this.#commitPoller = new CommitPoller(db, file, this.#notifier, retry.pollEvery, endsWithOwnAppends);
  }

  async append(stream: StreamName, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<Appended> {
    const [revision, position] = await this.writer.add(encodeAppend(stream, expected, events));
    this.#ownEnd = Math.max(this.#ownEnd, position);
    this.#notifier.notify();
    return { revision, position };
  }

  async readStream(stream: StreamName, options: ReadStream = {}): Promise<RecordedEvent[]> {
    const part = (asked: ReadStream) => this.#read(() => this.#reader.stream(stream, asked));
    const { events, ...first } = await part(options);
    for (let { rest } = first; rest !== undefined; ) {
      // Large events take a while to parse: gives the rest of the process its turn in between.
      await setImmediate();
      const next = await part({ ...options, ...rest });
      events.push(...next.events);
      rest = next.rest;
    }
    return events;
  }

  changesSince(after: Position): LogChanges | undefined {
    if (this.#notifier.closed) return undefined;
    try {
      return this.#reader.changesSince(after);
    } catch {
      // The read that follows reports the failure, or waits until the database is not busy.
      return undefined;
    }
  }

  async readLog(options: ReadLog): Promise<LogPage> {
    // A replay is page after page of synchronous work, so other work runs between two pages.
    await setImmediate();
    return this.#read(() => this.#reader.log(options));
  }

  follow(options: ReadLog & { readonly signal: AbortSignal }): AsyncIterable<LogPage> {
    return follow(this, this.#notifier, options);
  }

  head(): Promise<Position> {
    return this.#read(() => this.#reader.head());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#notifier.close();
    this.#commitPoller.stop();
    await this.writer.close();
    this.db.close();
  }

  async #read<T>(read: () => T): Promise<T> {
    if (this.#notifier.closed) throw new StoreUnavailable(`${NAME} is closed`);
    try {
      return await retryWhileBusy(read, this.retry.busyFor);
    } catch (error) {
      throw unavailable(error, this.file);
    }
  }
}
