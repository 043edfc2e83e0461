import type { Duration } from './instant.js';

/** Bounds of an exponential backoff. */
export interface RetryDelays {
  readonly first: Duration;
  readonly longest: Duration;
}

/** How long to wait after so many failures in a row before this one: each doubles the delay. */
export const retryDelay = (failuresBefore: number, { first, longest }: RetryDelays): Duration =>
  Math.min(first * 2 ** failuresBefore, longest);
