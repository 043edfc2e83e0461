import type { Duration } from '../instant.js';

export interface PermitLimits {
  readonly perAgency: number | ((agency: string) => number);
  /** How many all agencies may hold together; default: any number. */
  readonly total?: number;
  /** Whether an agency that holds none gets one in any case, so that slow agencies do not hold up the others. */
  readonly alwaysOne?: boolean;
}

export interface Patience {
  readonly timeout?: Duration;
  readonly signal?: AbortSignal;
}

export interface Permit {
  release(): void;
}

export interface Grant<Task> {
  readonly task: Task;
  readonly permit: Permit;
}

type Start = (permit: Permit) => void;

/** Shares capacity among agencies (D89): limits of each and of all, and turns among those that wait. */
export class FairSemaphore {
  private readonly held = new Map<string, number>();
  /** The waiting tasks of each agency; the first agency is next. */
  private readonly waiting = new Map<string, Set<Start>>();
  private readonly perAgency: (agency: string) => number;
  private readonly total: number;
  private readonly alwaysOne: boolean;
  private all = 0;
  /** The agency whose turn was last among tasks that wait in a store. */
  private lastTurn = '';

  constructor({ perAgency, total = Number.POSITIVE_INFINITY, alwaysOne = false }: PermitLimits) {
    this.perAgency = typeof perAgency === 'number' ? () => perAgency : perAgency;
    this.total = total;
    this.alwaysOne = alwaysOne;
  }

  free(agency: string): number {
    const own = this.held.get(agency) ?? 0;
    const ofAgency = this.perAgency(agency) - own;
    const least = this.alwaysOne && own === 0 ? 1 : 0;
    return Math.max(0, Math.min(ofAgency, Math.max(least, this.total - this.all)));
  }

  take(agency: string): Permit | undefined {
    if (this.free(agency) === 0) return undefined;
    let isReleased = false;
    const permit: Permit = {
      release: () => {
        if (!isReleased) this.release(agency);
        isReleased = true;
      },
    };
    this.held.set(agency, (this.held.get(agency) ?? 0) + 1);
    this.all++;
    return permit;
  }

  /** Takes a permit for each task whose turn it is. They wait in a store, by agency, in the order in which they run. */
  takeInTurn<Task>(waiting: ReadonlyMap<string, readonly Task[]>): Grant<Task>[] {
    const agencies = [...waiting.keys()].sort();
    const [later, first] = [agencies.filter((id) => id > this.lastTurn), agencies.filter((id) => id <= this.lastTurn)];
    const turns: Grant<Task>[] = [];
    for (let round = 0, before = -1; turns.length > before; round++) {
      before = turns.length;
      for (const agency of [...later, ...first]) {
        const task = waiting.get(agency)?.[round];
        const permit = task === undefined ? undefined : this.take(agency);
        if (task === undefined || permit === undefined) continue;
        turns.push({ task, permit });
        this.lastTurn = agency;
      }
    }
    return turns;
  }

  /** Undefined if there was no permit within the timeout. Without a timeout it waits for one. Rejects at an abort. */
  acquire(agency: string, patience: Patience & { timeout: Duration }): Promise<Permit | undefined>;
  acquire(agency: string, patience?: { readonly signal?: AbortSignal | undefined }): Promise<Permit>;
  async acquire(agency: string, { timeout, signal }: Patience = {}): Promise<Permit | undefined> {
    signal?.throwIfAborted();
    const permit = this.waiting.has(agency) ? undefined : this.take(agency);
    if (permit !== undefined) return permit;
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.leave(agency, start);
      };
      const start = (granted: Permit) => {
        leave();
        resolve(granted);
      };
      const giveUp = () => {
        leave();
        resolve(undefined);
      };
      const abort = () => {
        leave();
        reject(signal?.reason);
      };
      const timer = timeout === undefined ? undefined : setTimeout(giveUp, timeout);
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.set(agency, (this.waiting.get(agency) ?? new Set()).add(start));
    });
  }

  run<T>(agency: string, task: () => Promise<T>, patience: Patience & { timeout: Duration }): Promise<T | undefined>;
  run<T>(agency: string, task: () => Promise<T>, patience?: { readonly signal: AbortSignal }): Promise<T>;
  async run<T>(agency: string, task: () => Promise<T>, patience: Patience = {}): Promise<T | undefined> {
    const { timeout, signal } = patience;
    const permit = await (timeout === undefined
      ? this.acquire(agency, { signal })
      : this.acquire(agency, { ...patience, timeout }));
    if (permit === undefined) return undefined;
    try {
      return await task();
    } finally {
      permit.release();
    }
  }

  private release(agency: string): void {
    const own = (this.held.get(agency) ?? 0) - 1;
    if (own > 0) this.held.set(agency, own);
    else this.held.delete(agency);
    this.all--;
    this.startWaiting();
  }

  /** Starts what may start now. An agency that had its turn comes after the others, so the loop visits it again. */
  private startWaiting(): void {
    for (const [agency, starts] of this.waiting) {
      const [start] = starts;
      const permit = start === undefined ? undefined : this.take(agency);
      if (permit === undefined) continue;
      this.waiting.delete(agency);
      this.waiting.set(agency, starts);
      start?.(permit);
    }
  }

  private leave(agency: string, start: Start): void {
    const starts = this.waiting.get(agency);
    starts?.delete(start);
    if (starts?.size === 0) this.waiting.delete(agency);
  }
}
