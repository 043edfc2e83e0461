import { setImmediate } from 'node:timers/promises';
import type { Seen } from './recorded.js';

/**
 * Limits what waits for one follower, in bytes of events as the server sent them. They are shared with the other followers, and
 * personal data in them is encrypted: no erasure has to remove it here.
 */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** An event takes at least this much in memory. */
const MIN_BYTES = 500;

/**
 * One follower's part of the tail: what has arrived and was not taken yet. A follower that is too slow, or whose
 * connection is lost, has to read pages again.
 */
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

  /**
   * What has arrived, at most that many; waits until there is something. Undefined if the signal aborts, or if events are
   * missing because this follower is behind. Throws the failure of the subscription.
   */
  async take(limit: number, signal: AbortSignal): Promise<readonly Seen[] | undefined> {
    const stop = () => this.#wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted && !this.#isBehind && this.#waiting.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        // What arrives in the same turn is taken together, because a page costs more than an event.
        await setImmediate();
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
