import type { EventLog, LogPage, ReadLog } from '#kernel';

/** Wakes followers when there may be more to read. A superfluous notification costs a read; none is ever lost. */
export class FollowerNotifier {
  /** Number of notifications. A follower passes the number from before its read to `wait`, so that it misses none. */
  notifications = 0;
  #closed = false;
  readonly #waiting = new Set<() => void>();

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

export async function* follow(
  log: Pick<EventLog, 'readLog'>,
  notifier: FollowerNotifier,
  { signal, ...options }: ReadLog & { readonly signal: AbortSignal },
): AsyncGenerator<LogPage, void, void> {
  const over = () => signal.aborted || notifier.closed;
  let after = options.after;
  while (!over()) {
    const seen = notifier.notifications;
    const page = await readUnlessOver(log, { ...options, after }, over);
    if (page === undefined || over()) return;
    if (page.reached > after) {
      after = page.reached;
      yield page;
    }
    if (page.atEnd) await notifier.wait(seen, signal);
  }
}

async function readUnlessOver(log: Pick<EventLog, 'readLog'>, options: ReadLog, over: () => boolean) {
  try {
    return await log.readLog(options);
  } catch (error) {
    // If the log is closed during a read, its followers end without an error.
    if (over()) return undefined;
    throw error;
  }
}
