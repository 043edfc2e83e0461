/** What the retries take from the outside. */
export interface RetryClock {
  /** Milliseconds of a clock that nobody sets. */
  now(): number;
  /** From 0 up to, and not including, 1. */
  random(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The longest time that a timer can have; a longer one would end immediately. */
const MAX_TIMER = 2 ** 31 - 1;

export const startTimer = (end: () => void, milliseconds: number): ReturnType<typeof setTimeout> =>
  setTimeout(end, Math.min(milliseconds, MAX_TIMER));

export const systemClock: RetryClock = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep(milliseconds, signal) {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const timer = startTimer(() => {
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
