import type { Duration } from '../instant.js';

/** How long due work waits for a permit of its agency before it makes room for other agencies. */
export const AGENCY_PERMIT_TIMEOUT: Duration = 200;

/** How long to wait for a permit. */
export interface Patience {
  readonly timeout?: Duration;
  readonly signal?: AbortSignal;
}

/** Limits how many tasks run at a time. The others wait in the order of their arrival. */
export class Permits {
  private readonly waiting = new Set<() => void>();
  private held = 0;

  constructor(private readonly limit: number) {}

  get isIdle(): boolean {
    return this.held === 0 && this.waiting.size === 0;
  }

  /** False if there was no permit within the timeout. Without a timeout it waits for one. Rejects at an abort. */
  async acquire({ timeout, signal }: Patience = {}): Promise<boolean> {
    signal?.throwIfAborted();
    if (this.held < this.limit) {
      this.held++;
      return true;
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.waiting.delete(take);
      };
      const take = () => {
        leave();
        resolve(true);
      };
      const giveUp = () => {
        leave();
        resolve(false);
      };
      const abort = () => {
        leave();
        reject(signal?.reason);
      };
      const timer = timeout === undefined ? undefined : setTimeout(giveUp, timeout);
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.add(take);
    });
  }

  release(): void {
    const [next] = this.waiting;
    // The next task gets the permit directly, so no other task can take it first.
    if (next === undefined) this.held--;
    else next();
  }
}

/** Limits how many tasks of each agency run at a time, so that one agency does not block the others. */
export class AgencyPermits {
  private readonly byAgency = new Map<string, Permits>();

  constructor(private readonly limit: number) {}

  /** Runs the task when there is a permit; resolves to undefined if there is none within the timeout. */
  async run<T>(
    agency: string,
    task: () => Promise<T>,
    patience: Patience & { timeout: Duration },
  ): Promise<T | undefined>;
  async run<T>(agency: string, task: () => Promise<T>, patience?: { readonly signal: AbortSignal }): Promise<T>;
  async run<T>(agency: string, task: () => Promise<T>, patience: Patience = {}): Promise<T | undefined> {
    const permits = this.byAgency.get(agency) ?? new Permits(this.limit);
    this.byAgency.set(agency, permits);
    if (!(await permits.acquire(patience))) return undefined;
    try {
      return await task();
    } finally {
      permits.release();
      if (permits.isIdle) this.byAgency.delete(agency);
    }
  }
}
