import type { Duration } from '#kernel';

/** D60. */
export const MAX_ATTEMPTS = 5;
const JITTER = 0.2;
const RETRY_AFTER_AT_MOST = 2;

export interface Backoff {
  /** The wait after the first failure, the second and so on; the last of them serves for all that follow. */
  readonly waits: readonly Duration[];
  /** Where within the jitter this wait falls, from -1 to 1. */
  readonly jitter: number;
}

/** How long to wait after so many failed attempts; the receiver may ask for more, up to twice as much (D60). */
export const retryWait = (failures: number, { waits, jitter }: Backoff, retryAfter: Duration = 0): Duration => {
  const planned = waits[Math.min(failures, waits.length) - 1] ?? 0;
  const wait = Math.round(planned * (1 + JITTER * jitter));
  return Math.min(Math.max(wait, retryAfter), RETRY_AFTER_AT_MOST * wait);
};
