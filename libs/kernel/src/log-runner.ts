import { setTimeout as delay } from 'node:timers/promises';
import { type CollectionWrite, type DocumentStore, Fenced, type Lease, UnknownCollection } from './document-store.js';
import type { Position } from './event.js';
import { type EventLog, type LogPage, StoreUnavailable } from './event-log.js';
import type { Duration } from './instant.js';
import type { Leases } from './leases.js';
import type { Logger } from './logger.js';
import type { Progress } from './progress.js';

/** Something that goes along the log: the read models, or a process. */
export interface LogConsumer {
  readonly name: string;
  /** The only event types that it is shown. */
  readonly types: ReadonlySet<string>;
  /** Called once, before this process asks to run it: what has to be there first. */
  prepare?(signal: AbortSignal): Promise<void>;
  /**
   * Called when this process becomes the one that runs it, and after each failure, a write's too: whatever it remembers
   * may be out of date, or never have been written.
   */
  takeOver?(): Promise<void>;
  /** Handles a page, at least once; what it returns is written together with the checkpoint. */
  handle(page: LogPage): Promise<readonly CollectionWrite[]>;
}

const LEASE: Duration = 6_000;
const STANDBY: Duration = 500;
const RETRY_FIRST: Duration = 50;
const RETRY_MOST: Duration = 5_000;

/** Runs one consumer from its checkpoint, in one process at a time, and starts over when anything fails. */
export class LogRunner {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly consumer: LogConsumer,
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly leases: Leases,
    private readonly progress: Progress,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { name } = this.consumer;
    const { signal } = this.stopping;
    let isPrepared = false;
    let failures = 0;
    while (!signal.aborted) {
      try {
        if (!isPrepared) await this.consumer.prepare?.(signal);
        isPrepared = true;
        const lease = await this.leases.acquire(runnerLease(name), LEASE);
        if (lease === undefined) {
          await this.pause(STANDBY);
          continue;
        }
        await this.leases.holding(lease, LEASE, (lost) =>
          this.follow(lease, AbortSignal.any([signal, lost]), () => {
            failures = 0;
          }),
        );
      } catch (error) {
        if (signal.aborted) return;
        this.tell(error);
        await this.pause(Math.min(RETRY_FIRST * 2 ** failures++, RETRY_MOST));
      }
    }
  }

  /** Goes along the log until the signal says that the lease is lost, or that it is to stop. */
  private async follow({ fence }: Lease, signal: AbortSignal, onProgress: () => void): Promise<void> {
    const { name, types } = this.consumer;
    try {
      const after = await takeCheckpoint(this.store, name, fence);
      await this.consumer.takeOver?.();
      for await (const page of this.log.follow({ after, types, signal })) {
        const writes = await this.consumer.handle(page);
        await this.store.write(writes, { name, position: page.reached, fence });
        this.progress.report(name, page.reached);
        onProgress();
      }
      if (!signal.aborted) throw new StoreUnavailable('the event log has been closed');
    } finally {
      this.progress.forget(name);
    }
  }

  private tell(error: unknown): void {
    // Somebody else has the lease, or has had it: what this one went on with may have been replaced, and dropped.
    if (error instanceof Fenced) return;
    const fields = { err: error, runner: this.consumer.name };
    if (error instanceof UnknownCollection)
      this.logger.warn(fields, 'a read model is not there any more; starting over');
    else this.logger.error(fields, 'runner failed; starting over');
  }

  private async pause(duration: Duration): Promise<void> {
    await delay(duration, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

/** Whoever holds it runs the consumer. */
export const runnerLease = (consumer: string): string => `runner:${consumer}`;

/** Where to go on. From here on an older runner that wakes up late can write nothing over what this one has read. */
export const takeCheckpoint = async (store: DocumentStore, name: string, fence: number): Promise<Position> => {
  const position = (await store.checkpoint(name))?.position ?? 0;
  await store.write([], { name, position, fence });
  return position;
};
