import { setTimeout as delay } from 'node:timers/promises';
import type { DocumentStore, Lease } from './document-store.js';
import { DomainError } from './errors.js';
import { isDeadHere } from './holder.js';
import { type Clock, type Duration, SECOND } from './instant.js';
import { KeyedQueue } from './keyed-queue.js';

const RETRY = 20;

/** Longer than a call that a lost machine has left under way outside, shorter than those behind it would wait. */
const EXCLUSIVE: Duration = 10 * SECOND;

/** Mutual exclusion over all processes. */
export class Leases {
  private readonly queue = new KeyedQueue();

  constructor(
    private readonly store: DocumentStore,
    private readonly clock: Clock,
    private readonly holder: string,
  ) {}

  /** Takes or renews the lease; one whose holder died on this host is taken at once. */
  async acquire(name: string, ttl: Duration): Promise<Lease | undefined> {
    const now = this.clock.now();
    const lease = await this.store.acquireLease(name, this.holder, now, now + ttl);
    if (lease !== undefined) return lease;
    const current = await this.store.lease(name);
    if (current === undefined || !isDeadHere(current.holder)) return undefined;
    await this.store.releaseLease(name, current.holder);
    return this.store.acquireLease(name, this.holder, now, now + ttl);
  }

  /** Takes the lease from whoever has it; by its fence, and not by good will, the former holder is to be stopped. */
  async seize(name: string, ttl: Duration): Promise<Lease> {
    for (;;) {
      const current = await this.store.lease(name);
      if (current !== undefined) await this.store.releaseLease(name, current.holder);
      const lease = await this.acquire(name, ttl);
      if (lease !== undefined) return lease;
    }
  }

  /** Runs the task with the lease renewed, until `lost` says that it could not be, and gives it back. */
  async holding<T>(lease: Lease, ttl: Duration, task: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const lost = new AbortController();
    const renewing = this.renew(lease, ttl, over.signal).then((isLost) => isLost && lost.abort());
    try {
      return await task(lost.signal);
    } finally {
      over.abort();
      // A renewal that is under way must not come after the lease is given back.
      await renewing;
      await this.release(lease.name).catch(() => undefined);
    }
  }

  /** Resolves once told that it is over, or, to true, when the lease could not be renewed. */
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
   * Runs the task while nobody else, here or elsewhere, runs one under the same name. One that waits longer than
   * `patience` for its turn is refused with `provider_unavailable`.
   */
  exclusively<T>(name: string, patience: Duration, task: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + patience;
    const ttl = Math.min(patience, EXCLUSIVE);
    return this.queue.run(name, async () => {
      for (;;) {
        if (performance.now() > deadline) throw new DomainError('provider_unavailable');
        const lease = await this.acquire(name, ttl);
        // What the task came to counts for more than a lease that was lost: what it does outside is harmless twice.
        if (lease !== undefined) return this.holding(lease, ttl, task);
        await delay(RETRY);
      }
    });
  }
}
