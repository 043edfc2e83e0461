import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
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

const attempt = <Result>(read: () => Result): Result | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** Containers and cloned machines may share a host name, and nearly all have a process 1. Undefined without /proc. */
const PID_NAMESPACE = attempt(() => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot}:${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`;
});

const HOST_ID = PID_NAMESPACE === undefined ? hostname() : `${hostname()}@${PID_NAMESPACE}`;

/** When the process started, in ticks since boot; undefined if there is no such process. */
const startTimeOf = (pid: number): string | undefined =>
  attempt(() => {
    // The command name may contain spaces. It ends at the last parenthesis, and the start time is the 20th field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  });

/** The name of this process in leases: host, process id, start time. `part` distinguishes holders in one process. */
export const holderName = (part = ''): string => [HOST_ID, process.pid, startTimeOf(process.pid) ?? '', part].join('/');

/** True if the holder was a process of this host and has ended. About processes of other hosts nothing is known. */
export const isDeadLocalProcess = (holder: string): boolean => {
  const [host, pid = '', start] = holder.split('/');
  if (host !== HOST_ID || PID_NAMESPACE === undefined) return false;
  const now = startTimeOf(Number(pid));
  if (now !== undefined) return start !== '' && now !== start;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return isNativeError(error) && 'code' in error && error.code === 'ESRCH';
  }
};

const RETRY_INTERVAL: Duration = 20;
/** Longer than an outside call that a lost machine left under way, and shorter than other requests would wait. */
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

/** Mutual exclusion over all processes. Their wall clocks may differ by any amount (D93). */
export class Leases {
  private readonly queue = new KeyedMutex();
  /** Leases of others, and when each was first seen as it is, by `Clock.elapsed`. */
  private readonly observed = new Map<string, { readonly lease: Lease; readonly since: Duration }>();
  private lastUntil: Instant = 0;

  constructor(
    private readonly store: DocumentStore,
    private readonly clock: Clock,
    private readonly holder: string,
  ) {}

  /** Another holder's lease is taken if that process died on this host, or has not renewed it for `ttl` as seen from here. */
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
    // Each renewal changes the end, even if the wall clock does not move, or was set back.
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

  /** Runs the task to its end, even if a renewal fails: its calls are safe to repeat, and its result is worth more than the lease. */
  private async withRenewal<T>({ name, fence }: Lease, ttl: Duration, task: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const renewing = (async () => {
      while (await passes(ttl / 4, over.signal)) {
        const renewed = await this.acquire(name, ttl).catch(() => undefined);
        if (renewed?.fence !== fence) return;
      }
    })();
    try {
      return await task();
    } finally {
      over.abort();
      // Otherwise a late renewal could take back the lease that is released next.
      await renewing;
      await this.release(name).catch(() => undefined);
    }
  }

  release(name: string): Promise<void> {
    return this.store.releaseLease(name, this.holder);
  }

  /** Rejects with `provider_unavailable` after waiting for `timeout`, and with `LeaseHeld` where it may not wait. */
  async exclusively<T>(name: string, timeout: Duration, task: () => Promise<T>): Promise<T> {
    if (failingFast.getStore() && this.queue.isBusy(name)) throw new LeaseHeld(name);
    const deadline = performance.now() + timeout;
    const ttl = Math.min(timeout, EXCLUSIVE_TTL);
    return this.queue.run(name, async () => {
      for (;;) {
        if (performance.now() > deadline) {
          const cause = new Error(`another process held the lease ${name} for ${timeout} ms`);
          throw new DomainError('provider_unavailable', { cause });
        }
        const lease = await this.acquire(name, ttl);
        if (lease !== undefined) return this.withRenewal(lease, ttl, task);
        if (failingFast.getStore()) throw new LeaseHeld(name);
        await delay(RETRY_INTERVAL);
      }
    });
  }
}

/** False if the signal was aborted before the time had passed. */
const passes = (duration: Duration, over: AbortSignal): Promise<boolean> =>
  delay(duration, true, { signal: over, ref: false }).catch(() => false);
