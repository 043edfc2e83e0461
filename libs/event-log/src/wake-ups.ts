/** Tells followers that there may be more to read. Rung once too often costs a read; no ring is ever lost. */
export class WakeUps {
  /** How often it has rung: read it before looking, pass it to `since`, and a ring in between is not missed. */
  count = 0;
  /** How often because of others, who may have appended anything. */
  countOfOthers = 0;
  #closed = false;
  readonly #sleepers = new Set<() => void>();

  /** `onSleep` is called whenever somebody begins to wait. */
  constructor(private readonly onSleep: () => void = () => {}) {}

  get closed(): boolean {
    return this.#closed;
  }

  get hasSleepers(): boolean {
    return this.#sleepers.size > 0;
  }

  ring(): void {
    this.count++;
    for (const wake of [...this.#sleepers]) wake();
  }

  ringForOthers(): void {
    this.countOfOthers++;
    this.ring();
  }

  close(): void {
    this.#closed = true;
    this.ring();
  }

  /** Resolves when it has rung since `count` was what is given, or the signal aborts. */
  since(count: number, signal: AbortSignal): Promise<void> {
    if (this.count !== count || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#sleepers.add(wake);
      signal.addEventListener('abort', wake);
      this.onSleep();
    });
  }
}
