import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Duration } from '#kernel';
import type { Connection } from './connection.js';
import { NoAnswer, withRetries } from './failures.js';
import { seen } from './recorded.js';
import { subscriptionRequest } from './requests.js';
import type { Arrival, Subscriber } from './subscriber.js';

interface Opened {
  readonly over: AbortController;
  /** Resolves when the server has confirmed the subscription. */
  readonly confirmed: Promise<void>;
}

/**
 * The one subscription of a process, for all of its followers: the server sends each event once. It exists while it has a
 * follower. It is always read without waiting for a follower, so that a slow one holds up nobody.
 */
export class SharedSubscription {
  readonly #subscribers = new Set<Subscriber>();
  #opened: Opened | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly retryFor: Duration,
  ) {}

  /**
   * Resolves when all that is appended from now on will arrive, or when the signal aborts. The caller calls `leave` later,
   * also if this rejects.
   */
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
    if (this.#subscribers.size > 0) return;
    this.#opened?.over.abort();
    this.#opened = undefined;
  }

  #open(): Opened {
    const over = new AbortController();
    const { signal } = over;
    const opening = withRetries(() => subscribe(this.connection, signal), this.retryFor, signal);
    const confirmed = opening.then(() => undefined);
    // All followers may have left before it is refused.
    confirmed.catch(() => undefined);
    const opened: Opened = { over, confirmed };
    void opening
      .then((messages) => this.#passOn(messages))
      .catch((error: unknown) => error)
      .then((failure) => this.#end(opened, failure));
    return opened;
  }

  /** Until the connection is lost or the call is cancelled. When it has fallen behind, the server sends what is missing. */
  async #passOn(messages: AsyncIterableIterator<streams.ReadResp>): Promise<void> {
    for await (const message of messages) {
      const arrival = arrivalOf(message);
      if (arrival) for (const subscriber of this.#subscribers) subscriber.push(arrival);
    }
    throw new NoAnswer('the server has ended the subscription');
  }

  /** The next `join` opens another subscription. */
  #end(opened: Opened, failure: unknown): void {
    opened.over.abort();
    if (this.#opened !== opened) return;
    this.#opened = undefined;
    for (const subscriber of this.#subscribers) subscriber.fallBehind(failure);
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

const arrivalOf = (message: streams.ReadResp): Arrival | undefined => {
  const one = seen(message);
  if (one === undefined) return undefined;
  const recorded = message.getEvent()?.getEvent();
  const bytes = (recorded?.getData_asU8().length ?? 0) + (recorded?.getCustomMetadata_asU8().length ?? 0);
  return { position: one.position, event: one.event, bytes };
};
