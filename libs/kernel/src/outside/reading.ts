import { type Instant, MAX_CLOCK_SKEW } from '../instant.js';

/** When a reading of the platform began, and now, both by the clock of the process that reads. */
export interface Reading {
  readonly began: Instant;
  readonly now: Instant;
}

/** Clocks differ a little. A time that lies further ahead is false, and was recorded before (D93). */
export const isRecordedSince = ({ began, now }: Reading, at: Instant): boolean =>
  at >= began && at <= now + MAX_CLOCK_SKEW;
