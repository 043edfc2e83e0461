/** Wakes followers when there may be more to read. A superfluous notification costs a read; none is ever lost. */
export class FollowerNotifier {
  /** Number of notifications. A follower passes the number from before its read to `wait`, so that it misses none. */
  notifications = 0;
  #closed = false;
  readonly #waiting = new Set<() => void>();

  /** `onWait` is called when a follower starts to wait. */
  constructor(private readonly onWait: () => void = () => {}) {}

  get closed(): boolean {
    return this.#closed;
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  notify(): void {
    this.notifications++;
    for (const wake of [...this.#waiting]) wake();
  }

  close(): void {
    this.#closed = true;
    this.notify();
  }

  /** Resolves when `notifications` differs from `seen`, or the signal aborts. */
  wait(seen: number, signal: AbortSignal): Promise<void> {
    if (this.notifications !== seen || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
      this.onWait();
    });
  }
}
