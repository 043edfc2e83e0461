import { setTimeout as delay } from 'node:timers/promises';
import {
  type CollectionWrite,
  type DocumentStore,
  type Duration,
  type EventLog,
  Fenced,
  type Lease,
  type Logger,
  type Position,
  type Progress,
  type RetryDelays,
  retryDelay,
  StoreUnavailable,
  UnknownCollection,
} from '#kernel';
import type { Leases } from '../leases/leases.js';
import { RETRIED } from '../set-asides/set-aside.js';
import type { SetAsides } from '../set-asides/set-asides.js';
import { CheckpointEvents, Checkpoints, isKept } from './checkpoints.js';
import type { LogConsumer } from './log-consumer.js';
import { PageHandling } from './page-handling.js';

const LEASE_TTL: Duration = 6_000;
const STANDBY_INTERVAL: Duration = 500;
const RETRY_DELAYS: RetryDelays = { first: 50, longest: 5_000 };

/** Runs a consumer from its checkpoint, in one process at a time. Restarts it after a failure of the infrastructure. */
export class LogRunner {
  private readonly stopping = new AbortController();
  private readonly types: ReadonlySet<string>;
  private running: Promise<void> | undefined;

  constructor(
    private readonly consumer: LogConsumer,
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly leases: Leases,
    private readonly progress: Progress,
    private readonly setAsides: SetAsides,
    private readonly logger: Logger,
    private readonly checkpoints = new Checkpoints(store, log, logger),
  ) {
    this.types = consumer.retry === undefined ? consumer.types : new Set([...consumer.types, RETRIED]);
  }

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
        const lease = await this.leases.acquire(runnerLease(name), LEASE_TTL);
        if (lease === undefined) {
          await this.pause(STANDBY_INTERVAL);
          continue;
        }
        isPrepared = await this.leases.withRenewal(lease, LEASE_TTL, (lost) =>
          this.follow(lease, AbortSignal.any([signal, lost]), () => {
            failures = 0;
          }),
        );
      } catch (error) {
        if (signal.aborted) return;
        this.logFailure(error);
        await this.pause(retryDelay(failures++, RETRY_DELAYS));
      }
    }
  }

  /** False without following if the consumer has to be prepared again: its documents were of another log, or a read model is not kept. */
  private async follow({ fence }: Lease, signal: AbortSignal, onProgress: () => void): Promise<boolean> {
    const { name } = this.consumer;
    const { log, store, setAsides, logger, types } = this;
    const { checkpoint, hasBegunAgain } = await this.checkpoints.take(this.consumer, fence);
    const readModels = Object.entries(this.consumer.readModels ?? {}).map(([model, version]) => ({
      name: model,
      version,
    }));
    if (hasBegunAgain || !readModels.every((each) => isKept(checkpoint, each))) return false;
    const events = new CheckpointEvents(checkpoint.event, this.consumer.readModels);
    const write = async (writes: readonly CollectionWrite[], position: Position) => {
      const event = events.upTo(position);
      // Without an event of ours, as on a server that has only others, nothing would show of which log it is.
      const reached = event === undefined ? checkpoint.position : position;
      await store.write(writes, { name, position: reached, fence, event });
      this.progress.report(name, position);
    };
    const handling = new PageHandling(this.consumer, log, setAsides, logger, write, signal);
    try {
      await this.consumer.takeOver?.();
      for await (const page of log.follow({ after: checkpoint.position, types, signal })) {
        events.next(page);
        await handling.handle(page);
        onProgress();
      }
      if (!signal.aborted) throw new StoreUnavailable('the event log has been closed');
      return true;
    } finally {
      this.progress.forget(name);
      this.consumer.forget?.();
    }
  }

  private logFailure(error: unknown): void {
    // Another process has taken the lease, so the collections may have been replaced and dropped. This is no failure.
    if (error instanceof Fenced) return;
    const fields = { err: error, runner: this.consumer.name };
    if (error instanceof UnknownCollection)
      this.logger.warn(fields, 'a collection of a read model was dropped; the runner restarts');
    else this.logger.error(fields, 'the runner failed; it restarts');
  }

  private async pause(duration: Duration): Promise<void> {
    await delay(duration, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

export const runnerLease = (consumer: string): string => `runner:${consumer}`;
