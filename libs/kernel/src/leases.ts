import { setTimeout as delay } from 'node:timers/promises';
import type { DocumentStore, Lease } from './document-store.js';
import { DomainError } from './errors.js';
import { isDeadHere } from './holder.js';
import type { Clock, Duration } from './instant.js';
import { KeyedQueue } from './keyed-queue.js';

const RETRY = 20;

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

  release(name: string): Promise<void> {
    return this.store.releaseLease(name, this.holder);
  }

  /**
   * Runs the task while nobody else, here or elsewhere, runs one under the same name. `ttl` must outlast the task; one
   * that waits longer than it for its turn is refused with `provider_unavailable`.
   */
  exclusively<T>(name: string, ttl: Duration, task: () => Promise<T>): Promise<T> {
    return this.queue.run(name, async () => {
      const deadline = performance.now() + ttl;
      while ((await this.acquire(name, ttl)) === undefined) {
        if (performance.now() > deadline) throw new DomainError('provider_unavailable');
        await delay(RETRY);
      }
      try {
        return await task();
      } finally {
        await this.release(name);
      }
    });
  }
}
