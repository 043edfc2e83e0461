/** A date, or a date and a time in UTC or with an offset. It never depends on the time zone of the process. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/i;

/** The text as an ISO 8601 time; a date alone is its beginning in UTC. Undefined for a day that does not exist. */
export const parseTime = (text: string): Instant | undefined => {
  const at = ISO_8601.test(text) && isCalendarDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

/** `Date.parse` reads 30 February as 1 March, and day 0 of some years as a day of this century. */
const isCalendarDay = (date: string): boolean => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  if (day < 1 || month < 1 || month > 12) return false;
  return day <= 28 || day <= new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate();
};

export interface RetryDelays {
  readonly first: Duration;
  readonly longest: Duration;
}

/** The wait after a failure: each failure in a row before it doubles the delay. */
export const retryDelay = (failuresBefore: number, { first, longest }: RetryDelays): Duration =>
  Math.min(first * 2 ** failuresBefore, longest);

/** Milliseconds since 1970-01-01T00:00:00Z, a safe integer. */
export type Instant = number;

export const NEVER: Instant = 8_640_000_000_000_000;

export type Duration = number;

export const SECOND: Duration = 1_000;
export const MINUTE: Duration = 60 * SECOND;
export const HOUR: Duration = 60 * MINUTE;
export const DAY: Duration = 24 * HOUR;

/** The wall clocks of two processes differ by less than this, unless one of them is at fault (D93). */
export const MAX_CLOCK_SKEW: Duration = 60 * SECOND;

/** Infinite for a time that lies ahead, which is never fresh (D111). `skew` is for a clock of another process. */
export const ageOf = (at: Instant, now: Instant, skew: Duration = 0): Duration =>
  at > now + skew ? Number.POSITIVE_INFINITY : Math.max(0, now - at);

/** The only source of time. Domain code has no clock; it gets `now` as an argument. */
export abstract class Clock {
  /** The wall clock, which may be wrong and may be set. */
  abstract now(): Instant;
  /** Milliseconds since some moment of this process. Corrections of the wall clock do not change it (D93). */
  abstract elapsed(): Duration;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };
