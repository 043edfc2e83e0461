import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Clock,
  type DocumentStore,
  DomainError,
  type Duration,
  type Instant,
  KeyedMutex,
  type Lease,
  SECOND,
} from '#kernel';
import { isDeadLocalProcess } from './holder.js';

const RETRY_INTERVAL = 20;

/** Longer than an outbound call that a lost machine left under way, and shorter than other requests would wait. */
const EXCLUSIVE_TTL: Duration = 10 * SECOND;

/** Leases of others that this process remembers. Without an entry, a lease is observed from its start again. */
const MAX_OBSERVED = 1_000;
/** No end of a lease has passed at this time: only a free one is taken. */
const NONE_OVER: Instant = Number.MIN_SAFE_INTEGER;

export class LeaseHeld extends DomainError {
  constructor(readonly lease: string) {
    super('provider_unavailable', { cause: new Error(`another task holds the lease ${lease}`) });
  }
}

const failingFast = new AsyncLocalStorage<true>();

/** Runs a task that uses shared capacity: it does not wait for a lease, and fails with `LeaseHeld` instead (D89). */
export const failFastIfLeased = <T>(task: () => Promise<T>): Promise<T> => failingFast.run(true, task);

const failsFast = (): boolean => failingFast.getStore() === true;

interface Observed {
  readonly lease: Lease;
  /** By `Clock.elapsed`: the lease has not changed since then. */
  readonly since: Duration;
}

/** Mutual exclusion over all processes. Their wall clocks may differ by any time (D93). */
export class Leases {
  private readonly queue = new KeyedMutex();
  private readonly observed = new Map<string, Observed>();
  private lastUntil: Instant = 0;

  constructor(
    private readonly store: DocumentStore,
    private readonly clock: Clock,
    private readonly holder: string,
  ) {}

  /**
   * Takes or renews the lease. Another holder's lease is taken immediately if that process died on this host, and else
   * when this process has seen it unchanged for `ttl`: a living holder renews it several times in that time.
   */
  async acquire(name: string, ttl: Duration): Promise<Lease | undefined> {
    const lease = await this.take(name, ttl, NONE_OVER);
    if (lease !== undefined) return lease;
    const current = await this.store.lease(name);
    if (current === undefined) return undefined;
    if (isDeadLocalProcess(current.holder)) {
      await this.store.releaseLease(name, current.holder);
      return this.take(name, ttl, NONE_OVER);
    }
    return this.unchangedFor(current) < ttl ? undefined : this.take(name, ttl, current.until);
  }

  /** `overBy`: a lease of another holder is taken if its end is not later than this. */
  private async take(name: string, ttl: Duration, overBy: Instant): Promise<Lease | undefined> {
    // Each renewal changes the end, also while the wall clock does not move, or after it was set back.
    const until = this.clock.now() + ttl;
    this.lastUntil = until === this.lastUntil ? until + 1 : until;
    const lease = await this.store.acquireLease(name, this.holder, overBy, this.lastUntil);
    if (lease !== undefined) this.observed.delete(name);
    return lease;
  }

  /** How long until a lease that was just refused is free, unless its holder renews it. */
  untilFree(name: string, ttl: Duration): Duration {
    const observed = this.observed.get(name);
    return observed === undefined ? ttl : Math.max(1, observed.since + ttl - this.clock.elapsed());
  }

  private unchangedFor(lease: Lease): Duration {
    const elapsed = this.clock.elapsed();
    const before = this.observed.get(lease.name);
    const isSame = before?.lease.fence === lease.fence && before.lease.until === lease.until;
    const since = isSame ? before.since : elapsed;
    this.observed.delete(lease.name);
    const [oldest] = this.observed.keys();
    if (oldest !== undefined && this.observed.size >= MAX_OBSERVED) this.observed.delete(oldest);
    this.observed.set(lease.name, { lease, since });
    return elapsed - since;
  }

  /** Runs the task, renews the lease while it runs, and releases the lease. `lost` is aborted when a renewal fails. */
  async withRenewal<T>({ name, fence }: Lease, ttl: Duration, task: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const lost = new AbortController();
    const renewing = (async () => {
      while (await passes(ttl / 4, over.signal)) {
        const renewed = await this.acquire(name, ttl).catch(() => undefined);
        if (renewed?.fence !== fence) return lost.abort();
      }
    })();
    try {
      return await task(lost.signal);
    } finally {
      over.abort();
      // Otherwise a late renewal could take again what is released next.
      await renewing;
      await this.release(name).catch(() => undefined);
    }
  }

  release(name: string): Promise<void> {
    return this.store.releaseLease(name, this.holder);
  }

  /** Rejects with `provider_unavailable` after waiting for `timeout`, and with `LeaseHeld` where it may not wait. */
  async exclusively<T>(name: string, timeout: Duration, task: () => Promise<T>): Promise<T> {
    if (failsFast() && this.queue.isBusy(name)) throw new LeaseHeld(name);
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
        if (failsFast()) throw new LeaseHeld(name);
        await delay(RETRY_INTERVAL);
      }
    });
  }
}

/** False if the signal was aborted before the time had passed. */
const passes = (duration: Duration, over: AbortSignal): Promise<boolean> =>
  delay(duration, true, { signal: over, ref: false }).catch(() => false);
