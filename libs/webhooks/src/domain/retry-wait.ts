import type { Duration } from '#kernel';

/** D60: the first attempt and four more. */
export const MAX_ATTEMPTS = 5;
const JITTER = 0.2;
const MAX_RETRY_AFTER_FACTOR = 2;

export interface Backoff {
  /** The wait after the first failure, the second and so on. After the last value it repeats. */
  readonly waits: readonly Duration[];
  /** Where this wait is within the jitter, from -1 to 1. */
  readonly jitter: number;
}

/** The wait after this many failed attempts. The receiver may ask for more, up to twice as much (D60). */
export const retryWait = (failures: number, { waits, jitter }: Backoff, retryAfter: Duration = 0): Duration => {
  const planned = waits[Math.min(failures, waits.length) - 1] ?? 0;
  const wait = Math.round(planned * (1 + JITTER * jitter));
  return Math.min(Math.max(wait, retryAfter), MAX_RETRY_AFTER_FACTOR * wait);
};

/** No attempt waits longer for the one before it. */
export const longestRetryWait = (waits: readonly Duration[]): Duration =>
  MAX_RETRY_AFTER_FACTOR * (1 + JITTER) * Math.max(0, ...waits);
