import { type Instant, MAX_CLOCK_SKEW } from '../instant.js';

/** A record that violates a limit or the contract, and is left out of its page (D65). It counts as present. */
export interface RefusedRecord<Id extends string = string> {
  readonly id: Id | null;
  /** Names a field, never a value. */
  readonly reason: string;
}

export interface RecordPage {
  readonly refused: readonly RefusedRecord[];
  readonly nextCursor: string | null;
}

/** When a reading of the platform began, and now, both by the clock of the process that reads. */
export interface Reading {
  readonly began: Instant;
  readonly now: Instant;
}

/** Clocks differ a little. A time that lies further ahead is false, and counts as recorded before (D93). */
export const isRecordedSince = ({ began, now }: Reading, at: Instant): boolean =>
  at >= began && at <= now + MAX_CLOCK_SKEW;
