import { setTimeout as delay } from 'node:timers/promises';
import { type CollectionWrite, type DocumentStore, Fenced, type Lease } from './document-store.js';
import type { EventLog, LogPage } from './event-log.js';
import type { Duration } from './instant.js';
import type { Leases } from './leases.js';
import type { Logger } from './logger.js';
import type { Progress } from './progress.js';

/** Something that goes along the log: the read models, or a process. */
export interface LogConsumer {
  readonly name: string;
  /** The only event types that it is shown. */
  readonly types: ReadonlySet<string>;
  /** Called when this process becomes the one that runs it: whatever it remembers may be out of date. */
  takeOver?(): Promise<void>;
  /** Handles a page, at least once; what it returns is written together with the checkpoint. */
  handle(page: LogPage): Promise<readonly CollectionWrite[]>;
}

const LEASE: Duration = 6_000;
const RENEW: Duration = 1_500;
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
    let failures = 0;
    while (!this.stopping.signal.aborted) {
      try {
        const lease = await this.leases.acquire(`runner:${name}`, LEASE);
        if (lease === undefined) {
          await this.pause(STANDBY);
          continue;
        }
        await this.hold(lease, () => {
          failures = 0;
        });
      } catch (error) {
        if (!(error instanceof Fenced)) this.logger.error({ err: error, runner: name }, 'runner failed; starting over');
        await this.pause(Math.min(RETRY_FIRST * 2 ** failures++, RETRY_MOST));
      } finally {
        this.progress.forget(name);
      }
    }
    await this.leases.release(`runner:${name}`).catch(() => undefined);
  }

  /** Goes along the log for as long as the lease can be renewed. */
  private async hold(lease: Lease, onProgress: () => void): Promise<void> {
    const { name, types } = this.consumer;
    const lost = new AbortController();
    const renewing = setInterval(() => {
      this.leases.acquire(lease.name, LEASE).then(
        (renewed) => renewed?.fence !== lease.fence && lost.abort(),
        () => lost.abort(),
      );
    }, RENEW);
    renewing.unref();
    try {
      await this.consumer.takeOver?.();
      const after = (await this.store.checkpoint(name))?.position ?? 0;
      const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
      for await (const page of this.log.follow({ after, types, signal })) {
        const writes = await this.consumer.handle(page);
        await this.store.write(writes, { name, position: page.reached, fence: lease.fence });
        this.progress.report(name, page.reached);
        onProgress();
      }
    } finally {
      clearInterval(renewing);
    }
  }

  private async pause(duration: Duration): Promise<void> {
    await delay(duration, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
