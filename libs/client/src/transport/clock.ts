/** What the retries take from the outside. */
export interface RetryClock {
  /** Milliseconds of a clock that nobody sets. */
  now(): number;
  /** From 0 up to, and not including, 1. */
  random(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

export const systemClock: RetryClock = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep(milliseconds, signal) {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, milliseconds);
      const end = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', end, { once: true });
    });
  },
};
