import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ApiKeyEvent, apiKeyDecider, KnownKeys } from '#agencies';
import { type Duration, EventLog, Logger, type Position, type RecordedEvent } from '#kernel';

const CATEGORIES: ReadonlySet<string> = new Set([apiKeyDecider.category]);
const FIRST_RETRY_DELAY: Duration = 50;
const MAX_RETRY_DELAY: Duration = 1_000;

/** Follows the events of all keys, in the whole log, so that a new key is known within a second (D70). */
@Injectable()
export class KeyFollower implements OnApplicationShutdown {
  readonly known = new KnownKeys();
  private readonly stopping = new AbortController();
  private following: Promise<void> | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly logger: Logger,
  ) {}

  /** Resolves when all keys that the log holds at this moment are known, or after `timeout` milliseconds. */
  async start(timeout: Duration): Promise<void> {
    const waiting = new AbortController();
    const timedOut = delay(timeout, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([this.readToEnd(), timedOut]);
    waiting.abort();
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
  }

  /** Follows even if the log does not answer where it ends, because a start goes on after its timeout (D70). */
  private readToEnd(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let head = Number.POSITIVE_INFINITY;
    let reached: Position = 0;
    const look = () => {
      if (reached >= head) resolve();
    };
    this.following ??= this.follow((position) => {
      reached = position;
      look();
    });
    void this.retrying(async () => {
      head = await this.log.head();
      look();
    });
    return promise;
  }

  private async follow(onReached: (position: Position) => void): Promise<void> {
    const { signal } = this.stopping;
    let after: Position = 0;
    await this.retrying(async (onProgress) => {
      for await (const page of this.log.follow({ after, categories: CATEGORIES, signal })) {
        // The stream's category names the type of its events.
        for (const event of page.events as readonly RecordedEvent<ApiKeyEvent>[]) this.known.apply(event);
        after = page.reached;
        onProgress();
        onReached(after);
      }
    });
  }

  /** Repeats the work until it ends without an error, as when the log is closed, or until `stop`. */
  private async retrying(work: (onProgress: () => void) => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    let wait = FIRST_RETRY_DELAY;
    const onProgress = () => {
      wait = FIRST_RETRY_DELAY;
    };
    while (!signal.aborted) {
      try {
        return await work(onProgress);
      } catch (error) {
        this.logger.warn({ err: error, retry_in_ms: wait }, 'could not follow the keys; trying again');
        await delay(wait, undefined, { signal }).catch(() => undefined);
        wait = Math.min(wait * 2, MAX_RETRY_DELAY);
      }
    }
  }
}
