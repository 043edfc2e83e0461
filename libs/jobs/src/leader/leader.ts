import { setTimeout as delay } from 'node:timers/promises';
import { asLeader, type Duration, type Lease, type Logger, NotLeading, SECOND, WORKER_LEASE } from '#kernel';
import type { Leases } from '../leases/leases.js';

/** A standby takes over the lease when it has been unchanged for this time on the standby's own monotonic clock. */
const TAKE_OVER_AFTER: Duration = 6 * SECOND;
const RENEWAL_INTERVAL: Duration = 1_500;
/** This long after it sent its last successful renewal, a leader starts nothing: less than `TAKE_OVER_AFTER`. */
const TRUSTED_FOR: Duration = 5 * SECOND;
const STANDBY_INTERVAL: Duration = 500;

/** `none`: this process never leads, for example an API without a worker. */
export type Role = 'leader' | 'standby' | 'none';

export interface Term {
  /** Grows with each leader. The stores refuse writes that only the leader makes if they have a smaller one. */
  readonly fence: number;
  readonly over: AbortSignal;
}

/** One worker process leads and does everything that happens between requests. The others wait for its lease. */
export class Leader {
  private readonly stopping = new AbortController();
  private readonly resigning = new AbortController();
  private running: Promise<void> | undefined;
  private leading: { readonly fence: number; sentAt: Duration } | undefined;

  constructor(
    private readonly leases: Pick<Leases, 'acquire' | 'release' | 'untilFree'>,
    private readonly logger: Logger,
    private readonly elapsed: () => Duration = () => performance.now(),
    private readonly wait: (duration: Duration, signal: AbortSignal) => Promise<unknown> = (duration, signal) =>
      delay(duration, undefined, { signal }),
  ) {}

  get role(): Role {
    if (this.leading !== undefined) return 'leader';
    return this.running === undefined ? 'none' : 'standby';
  }

  /** Leads whenever it can, until it is stopped. `work` ends soon after its term is over. */
  start(work: (term: Term) => Promise<void>): void {
    this.running ??= this.run(work);
  }

  /** A standby no longer tries to lead. A leader continues until `stop`. */
  resign(): void {
    this.resigning.abort();
  }

  /** Ends the term and releases the lease. */
  async stop(): Promise<void> {
    this.resign();
    this.stopping.abort();
    await this.running;
  }

  private async run(work: (term: Term) => Promise<void>): Promise<void> {
    while (!this.resigning.signal.aborted) {
      const sentAt = this.elapsed();
      const lease = await this.acquired();
      const free = this.leases.untilFree(WORKER_LEASE, TAKE_OVER_AFTER);
      if (lease) await this.lead(lease.fence, sentAt, work);
      else await this.pause(Math.min(STANDBY_INTERVAL, free), this.resigning.signal);
    }
  }

  private async lead(fence: number, sentAt: Duration, work: (term: Term) => Promise<void>): Promise<void> {
    const leading = { fence, sentAt };
    this.leading = leading;
    const lost = new AbortController();
    const over = AbortSignal.any([lost.signal, this.stopping.signal]);
    const check = () => {
      if (this.leading !== leading || this.elapsed() - leading.sentAt >= TRUSTED_FOR) throw new NotLeading();
    };
    this.logger.info({ fence }, 'this process leads');
    const working = asLeader(check, () => work({ fence, over }));
    const ended = working.catch((error: unknown) => {
      if (!over.aborted) this.logger.error({ err: error }, 'the work of the leader failed');
    });
    let isOver = false;
    void ended.then(() => {
      isOver = true;
      lost.abort();
    });
    // The lease is renewed until the work has ended, because the last of it still writes.
    while (!isOver) {
      await Promise.race([this.pause(RENEWAL_INTERVAL, lost.signal), ended]);
      if (isOver) break;
      const renewalSentAt = this.elapsed();
      const renewed = await this.acquired();
      if (renewed === null) continue;
      if (renewed?.fence === fence) leading.sentAt = renewalSentAt;
      else {
        this.leading = undefined;
        lost.abort();
        this.logger.warn({ fence }, 'another process leads');
        await ended;
      }
    }
    this.leading = undefined;
    if (this.stopping.signal.aborted) await this.leases.release(WORKER_LEASE).catch(() => undefined);
  }

  /** Undefined while another process leads, null if nobody knows. */
  private async acquired(): Promise<Lease | undefined | null> {
    try {
      return await this.leases.acquire(WORKER_LEASE, TAKE_OVER_AFTER);
    } catch (error) {
      this.logger.warn({ err: error }, 'the lease of the leader cannot be reached; trying again');
      return null;
    }
  }

  private async pause(duration: Duration, signal: AbortSignal): Promise<void> {
    await this.wait(duration, signal).catch(() => undefined);
  }
}
