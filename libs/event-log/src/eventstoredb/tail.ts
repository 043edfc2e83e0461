import { setImmediate as nextTurn } from 'node:timers/promises';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Duration, LogTail, Position, SeenEvent } from '#kernel';
import type { Connection } from './connection.js';
import { NoAnswer, withRetries } from './failures.js';
import { type Seen, seen } from './recorded.js';
import { headRequest, subscriptionRequest } from './requests.js';

/** Limits the bytes that wait for one follower. Personal data in them is encrypted, so erasures need not remove it. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** An event takes at least this much in memory. */
const MIN_BYTES = 500;

/** Holds the arrivals for one follower. One that is too slow, or whose connection is lost, reads pages again. */
export class Subscriber {
  #waiting: Seen[] = [];
  #bytes = 0;
  #isBehind = false;
  #failure: unknown;
  #wake: () => void = () => {};

  push(arrival: Seen): void {
    if (this.#isBehind) return;
    this.#bytes += Math.max(MIN_BYTES, arrival.bytes);
    if (this.#bytes > MAX_WAITING_BYTES) this.fallBehind();
    else this.#waiting.push(arrival);
    this.#wake();
  }

  /** Nothing more will arrive; `failure` is the reason if the subscription was lost. */
  fallBehind(failure?: unknown): void {
    this.#isBehind = true;
    this.#failure = failure;
    this.#waiting = [];
    this.#wake();
  }

  /** Undefined if the signal aborts, or if this follower is behind. Throws the failure of the subscription. */
  async take(limit: number, signal: AbortSignal): Promise<readonly Seen[] | undefined> {
    const stop = () => this.#wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted && !this.#isBehind && this.#waiting.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        // Takes everything that arrives in the same turn together, because a page costs more than an event.
        await nextTurn();
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
    if (this.#failure !== undefined) throw this.#failure;
    if (signal.aborted || this.#isBehind) return undefined;
    const taken = this.#waiting.splice(0, limit);
    for (const { bytes } of taken) this.#bytes -= Math.max(MIN_BYTES, bytes);
    return taken;
  }
}

/** How long a query for the log's end waits for the answer, and then for the tail to pass that end. */
const ANSWER_TIMEOUT: Duration = 250;
const PASS_TIMEOUT: Duration = 10;
/** A query waits for the answer to the previous one, so that more can share it, but no longer than this. */
const MAX_TURN: Duration = 10;

interface Opened {
  readonly over: AbortController;
  readonly confirmed: Promise<void>;
  /** Watchers have seen everything that arrived after the start, up to here. */
  reached: Position;
  isStarted: boolean;
  starting?: Promise<void> | undefined;
}

interface Passing {
  readonly end: Position;
  readonly settle: (isPassed: boolean) => void;
}

/**
 * The one reader of a process that follows the log, from its end: the server sends each event once. It never waits, so
 * a slow follower delays no other. It ends without followers, unless somebody has asked for the log's end.
 */
export class Tail implements LogTail {
  readonly #subscribers = new Set<Subscriber>();
  readonly #watchers: ((event: SeenEvent | undefined) => void)[] = [];
  readonly #passing = new Set<Passing>();
  #opened: Opened | undefined;
  #question: Promise<Position | undefined> | undefined;
  #turn: Promise<void> | undefined;
  #isAsked = false;

  constructor(
    private readonly connection: Connection,
    private readonly retryFor: Duration,
    private readonly closed: AbortSignal,
  ) {
    closed.addEventListener('abort', () => this.#opened?.over.abort());
  }

  watch(watcher: (event: SeenEvent | undefined) => void): void {
    this.#watchers.push(watcher);
  }

  async passesEnd(): Promise<boolean> {
    if (this.closed.aborted) return false;
    this.#isAsked = true;
    this.#opened ??= this.#open();
    const opened = this.#opened;
    if (!opened.isStarted) {
      opened.starting ??= this.#start(opened);
      return false;
    }
    this.#question ??= this.#ask();
    const end = await this.#question;
    return end !== undefined && this.#opened === opened && this.#passes(end, opened);
  }

  /** Resolves when all that is appended from now on will arrive. The caller calls `leave`, also if this rejects. */
  async join(subscriber: Subscriber, signal: AbortSignal): Promise<void> {
    this.#subscribers.add(subscriber);
    this.#opened ??= this.#open();
    const aborted = Promise.withResolvers<void>();
    const stop = () => aborted.resolve();
    signal.addEventListener('abort', stop);
    try {
      await Promise.race([this.#opened.confirmed, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    if (this.#subscribers.size > 0 || this.#isAsked) return;
    this.#opened?.over.abort();
    this.#opened = undefined;
  }

  #open(): Opened {
    const over = new AbortController();
    const { signal } = over;
    const opening = withRetries(() => subscribe(this.connection, signal), this.retryFor, signal);
    const confirmed = opening.then(() => undefined);
    // All followers may have left before it is rejected.
    confirmed.catch(() => undefined);
    const opened: Opened = { over, confirmed, reached: 0, isStarted: false };
    void opening
      .then((messages) => this.#passOn(messages, opened))
      .catch((error: unknown) => error)
      .then((failure) => this.#end(opened, failure));
    // So that the first request need not read its streams.
    if (this.#watchers.length > 0) opened.starting = this.#start(opened);
    return opened;
  }

  /** Until the connection is lost or the call is cancelled. When it has fallen behind, the server sends what is missing. */
  async #passOn(messages: AsyncIterableIterator<streams.ReadResp>, opened: Opened): Promise<void> {
    for await (const message of messages) {
      const arrival = seen(message);
      if (arrival === undefined) continue;
      for (const show of this.#watchers) show(arrival);
      opened.reached = Math.max(opened.reached, arrival.position);
      for (const subscriber of this.#subscribers) subscriber.push(arrival);
      for (const { end, settle } of this.#passing) if (end <= opened.reached) settle(true);
    }
    throw new NoAnswer('the server has ended the subscription');
  }

  /** The next `join` or question opens another subscription. */
  #end(opened: Opened, failure: unknown): void {
    opened.over.abort();
    if (this.#opened !== opened) return;
    this.#opened = undefined;
    for (const { settle } of this.#passing) settle(false);
    for (const subscriber of this.#subscribers) subscriber.fallBehind(failure);
  }

  /** Watchers have not seen events from before the subscription: its start is the log's end after that. */
  async #start(opened: Opened): Promise<void> {
    const end = await opened.confirmed.then(() => this.#readEnd()).catch(() => undefined);
    opened.starting = undefined;
    if (end === undefined || this.#opened !== opened) return;
    for (const show of this.#watchers) show(undefined);
    opened.reached = Math.max(opened.reached, end);
    opened.isStarted = true;
  }

  async #ask(): Promise<Position | undefined> {
    await this.#turn;
    this.#question = undefined;
    const answer = this.#readEnd();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MAX_TURN);
    this.#turn = promise;
    const end = await answer;
    clearTimeout(timer);
    resolve();
    return end;
  }

  async #readEnd(): Promise<Position | undefined> {
    const read = this.connection.read(headRequest(), seen, { silence: ANSWER_TIMEOUT });
    const [last] = await read.catch(() => []);
    return last?.position;
  }

  #passes(end: Position, opened: Opened): boolean | Promise<boolean> {
    if (opened.reached >= end) return true;
    return new Promise((resolve) => {
      const settle = (isPassed: boolean) => {
        clearTimeout(timer);
        this.#passing.delete(passing);
        resolve(isPassed);
      };
      const passing = { end, settle };
      // Messages that have arrived by then are handled before the wait ends.
      const timer = setTimeout(() => setImmediate(settle, false), PASS_TIMEOUT);
      this.#passing.add(passing);
    });
  }
}

/** Resolves when the server has confirmed the subscription: from then on it sends what is appended. */
const subscribe = async (
  connection: Connection,
  signal: AbortSignal,
): Promise<AsyncIterableIterator<streams.ReadResp>> => {
  const call = await connection.subscribe(subscriptionRequest());
  const cancel = () => call.cancel();
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  const messages: AsyncIterableIterator<streams.ReadResp> = call[Symbol.asyncIterator]();
  const { value: first } = await messages.next();
  if (first?.hasConfirmation()) return messages;
  cancel();
  throw new NoAnswer('the server has not confirmed a subscription');
};
