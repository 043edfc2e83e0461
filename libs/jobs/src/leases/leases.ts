import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, type DocumentStore, DomainError, type Duration, KeyedQueue, type Lease, SECOND } from '#kernel';
import { isDeadLocalProcess } from './holder.js';
import { LeaseHeld, mayWait } from './lease-held.js';

const RETRY_INTERVAL = 20;

/** Longer than an outbound call that a lost machine left under way, and shorter than other requests would wait. */
const EXCLUSIVE_TTL: Duration = 10 * SECOND;

/** Mutual exclusion over all processes. */
export class Leases {
  private readonly queue = new KeyedQueue();

  constructor(
    private readonly store: DocumentStore,
    private readonly clock: Clock,
    private readonly holder: string,
  ) {}

  /** Takes or renews the lease. A lease whose holder died on this host is taken immediately. */
  async acquire(name: string, ttl: Duration): Promise<Lease | undefined> {
    const now = this.clock.now();
    const lease = await this.store.acquireLease(name, this.holder, now, now + ttl);
    if (lease !== undefined) return lease;
    const current = await this.store.lease(name);
    if (current === undefined || !isDeadLocalProcess(current.holder)) return undefined;
    await this.store.releaseLease(name, current.holder);
    return this.store.acquireLease(name, this.holder, now, now + ttl);
  }

  /** Takes the lease from its holder. The caller has to stop the former holder by the fence. */
  async forceAcquire(name: string, ttl: Duration): Promise<Lease> {
    for (;;) {
      const current = await this.store.lease(name);
      if (current !== undefined) await this.store.releaseLease(name, current.holder);
      const lease = await this.acquire(name, ttl);
      if (lease !== undefined) return lease;
    }
  }

  /** Runs the task, renews the lease while it runs, and releases the lease. `lost` is aborted when a renewal fails. */
  async withRenewal<T>(lease: Lease, ttl: Duration, task: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const lost = new AbortController();
    const renewing = this.renew(lease, ttl, over.signal).then((isLost) => isLost && lost.abort());
    try {
      return await task(lost.signal);
    } finally {
      over.abort();
      // Otherwise a late renewal could take the lease again after its release.
      await renewing;
      await this.release(lease.name).catch(() => undefined);
    }
  }

  /** Resolves to true when the lease cannot be renewed, to false when `over` is aborted. */
  private async renew({ name, fence }: Lease, ttl: Duration, over: AbortSignal): Promise<boolean> {
    try {
      for (;;) {
        await delay(ttl / 4, undefined, { signal: over, ref: false });
        if ((await this.acquire(name, ttl))?.fence !== fence) return true;
      }
    } catch {
      return !over.aborted;
    }
  }

  release(name: string): Promise<void> {
    return this.store.releaseLease(name, this.holder);
  }

  /**
   * Runs the task while no other task with the same name runs, in this process or another. Rejects with
   * `provider_unavailable` after waiting for `timeout`, and with `LeaseHeld` where it may not wait.
   */
  async exclusively<T>(name: string, timeout: Duration, task: () => Promise<T>): Promise<T> {
    if (!mayWait() && this.queue.isBusy(name)) throw new LeaseHeld(name);
    const deadline = performance.now() + timeout;
    const ttl = Math.min(timeout, EXCLUSIVE_TTL);
    return this.queue.run(name, async () => {
      for (;;) {
        if (performance.now() > deadline) {
          const cause = new Error(`another process held the lease ${name} for ${timeout} ms`);
          throw new DomainError('provider_unavailable', { cause });
        }
        const lease = await this.acquire(name, ttl);
        // `lost` is ignored, because the task's calls are safe to repeat and its result is worth more than the lease.
        if (lease !== undefined) return this.withRenewal(lease, ttl, task);
        if (!mayWait()) throw new LeaseHeld(name);
        await delay(RETRY_INTERVAL);
      }
    });
  }
}
