import { setImmediate } from 'node:timers/promises';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { NO_EVENTS } from '#kernel';
import { ByteLimit } from './byte-limit.js';
import type { Connection, ReadCall } from './connection.js';
import { NoAnswer } from './failures.js';

/** How many messages wait in the process. The rest waits in the connection's window and on the server. */
const BUFFER_SIZE = 16;

/** The messages of a call that has no end. */
export class Subscription {
  #over: Error | undefined;
  #wake: () => void = () => {};

  private constructor(private readonly call: ReadCall) {
    const over = (error: Error) => {
      this.#over ??= error;
      this.#wake();
    };
    call.on('readable', () => this.#wake());
    call.on('error', over);
    call.on('end', () => over(new NoAnswer('the server has ended the subscription')));
    call.on('close', () => over(new NoAnswer('the subscription is closed')));
  }

  /** Resolves when the server has confirmed the subscription: from then on it sends what is appended. */
  static async open(connection: Connection, request: streams.ReadReq, signal: AbortSignal): Promise<Subscription> {
    const subscription = new Subscription(await connection.subscribe(request));
    try {
      const [first] = await subscription.next(1, signal);
      if (!first?.hasConfirmation()) throw new NoAnswer('the server has not confirmed a subscription');
      return subscription;
    } catch (error) {
      subscription.close();
      throw error;
    }
  }

  /** What has come, at most that many and a page's bytes; waits until there is something, or the signal aborts. */
  async next(limit: number, signal: AbortSignal): Promise<streams.ReadResp[]> {
    const messages: streams.ReadResp[] = [];
    const bytes = new ByteLimit(NO_EVENTS);
    const stop = () => this.#wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        const read = this.#take(messages, limit, bytes);
        if (read >= BUFFER_SIZE && messages.length < limit && !bytes.isReached) await setImmediate();
        else if (messages.length > 0) break;
        else if (this.#over) throw this.#over;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
    return messages;
  }

  close(): void {
    this.call.cancel();
  }

  #take(messages: streams.ReadResp[], limit: number, bytes: ByteLimit): number {
    let read = 0;
    while (messages.length < limit && !bytes.isReached) {
      const message: streams.ReadResp | null = this.call.read();
      if (message === null) break;
      messages.push(message);
      bytes.count(message);
      read++;
    }
    return read;
  }
}
