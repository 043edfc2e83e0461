/** A point in time: milliseconds since 1970-01-01T00:00:00Z, a safe integer. */
export type Instant = number;

/** The latest time that a `Date` can represent. */
export const NEVER: Instant = 8_640_000_000_000_000;

/** Whole milliseconds. */
export type Duration = number;

export const SECOND: Duration = 1_000;
export const MINUTE: Duration = 60 * SECOND;
export const HOUR: Duration = 60 * MINUTE;
export const DAY: Duration = 24 * HOUR;

/** The wall clocks of two processes differ by less than this, unless one of them is at fault (D93). */
export const MAX_CLOCK_SKEW: Duration = 60 * SECOND;

/**
 * How long ago that was. Nobody knows the age of a time that lies ahead, so it is infinite and never fresh (D111); `skew`
 * is for a time that the clock of another process may have shown.
 */
export const ageOf = (at: Instant, now: Instant, skew: Duration = 0): Duration =>
  at > now + skew ? Number.POSITIVE_INFINITY : Math.max(0, now - at);

/** The only source of time. Domain code has no clock; it gets `now` as an argument. */
export abstract class Clock {
  /** The wall clock, which may be wrong and may be set. */
  abstract now(): Instant;
  /** Milliseconds since some moment of this process. No correction of the wall clock changes it (D93). */
  abstract elapsed(): Duration;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };
