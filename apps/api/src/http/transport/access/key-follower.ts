import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ApiKeyEvent, apiKeyDecider, KnownKeys } from '#agencies';
import { type Duration, EventLog, followLog, Logger, type Position, type RecordedEvent, retryUntilDone } from '#kernel';

const CATEGORIES: ReadonlySet<string> = new Set([apiKeyDecider.category]);

/** Follows the events of all keys in the whole log, so that a new key is known within a second (D70). */
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

  /** Follows even if the log does not say where it ends, because startup continues after its timeout (D70). */
  private readToEnd(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const attempts = { what: 'the keys', signal: this.stopping.signal, logger: this.logger };
    let head = Number.POSITIVE_INFINITY;
    let reached: Position = 0;
    const look = () => {
      if (reached >= head) resolve();
    };
    this.following ??= followLog(this.log, { ...attempts, after: 0, filter: { categories: CATEGORIES } }, (page) => {
      // The stream's category names the type of its events.
      for (const event of page.events as readonly RecordedEvent<ApiKeyEvent>[]) this.known.apply(event);
      reached = page.reached;
      look();
    });
    void retryUntilDone(async () => {
      head = await this.log.head();
      look();
    }, attempts);
    return promise;
  }
}
