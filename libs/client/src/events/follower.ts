import { notNegative } from '../transport/limits.js';
import type { Transport } from '../transport/transport.js';
import type { AnyEvent } from './known-event.js';

export interface FollowOptions {
  /** The cursor that was stored in an earlier run; without it, or with `null`, the feed is read from its start. */
  readonly after?: string | null | undefined;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between two requests at the end of the feed; default: 2,000. */
  readonly pollInterval?: number | undefined;
}

const DEFAULT_POLL_INTERVAL = 2_000;

/**
 * The feed without an end. It keeps retrying through lost connections, 429, 502 to 504 and answers that are not the
 * service's, and reports them to `onRetry`. An error that has to be corrected, such as a revoked key, ends it.
 */
export class Follower implements AsyncIterable<AnyEvent> {
  #cursor: string | undefined;
  readonly #pollInterval: number;

  constructor(
    private readonly api: Transport,
    private readonly options: FollowOptions = {},
  ) {
    this.#cursor = options.after ?? undefined;
    this.#pollInterval = notNegative('pollInterval', options.pollInterval ?? DEFAULT_POLL_INTERVAL);
  }

  /**
   * How far the feed has been read, including the current event. Store it when the event is processed, and pass it as
   * `after` to continue there: an event that was not processed comes again.
   */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AnyEvent, void, undefined> {
    const { signal } = this.options;
    try {
      for (;;) {
        const { data, next_cursor } = await this.api.follow<AnyEvent>('/v1/events', this.#cursor, signal);
        for (const event of data) {
          this.#cursor = event.id;
          yield event;
          signal?.throwIfAborted();
        }
        if (next_cursor === null) await this.api.pause(this.#pollInterval, signal);
        else this.#cursor = next_cursor;
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }
}
