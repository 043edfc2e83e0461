import { setTimeout as delay } from 'node:timers/promises';
import type { Leases } from '#jobs';
import { type Clock, type Duration, type Logger, SECOND } from '#kernel';
import { SEALING, type Sealing } from './sealing.js';

/** Together less than ten seconds: the longest time without seals after the sealing process is lost. */
const POLL_INTERVAL: Duration = 3 * SECOND;
const LEASE_TTL: Duration = 6 * SECOND;

/** Seals the log, in one process at a time. */
export class SealLoop {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly sealing: Sealing,
    private readonly leases: Leases,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Makes the seals that are due, unless another process holds the lease. */
  async runDue(): Promise<void> {
    const head = await this.sealing.head();
    if (this.sealing.isIdleAt(head)) return;
    const lease = await this.leases.acquire(SEALING, LEASE_TTL);
    if (lease === undefined) this.sealing.forget();
    else await this.sealing.runDue(this.clock.now(), head);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.runDue();
      } catch (error) {
        this.logger.error({ err: error }, 'could not seal the log; trying again');
      }
      await delay(POLL_INTERVAL, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.leases.release(SEALING).catch(() => undefined);
  }
}
