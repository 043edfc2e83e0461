/** A moment as Unix epoch milliseconds (UTC), a safe integer. */
export type Instant = number;

/** A length of time in whole milliseconds. */
export type Duration = number;

export const SECOND: Duration = 1_000;
export const MINUTE: Duration = 60 * SECOND;
export const HOUR: Duration = 60 * MINUTE;
export const DAY: Duration = 24 * HOUR;

/** The only source of time. Domain code never holds one: it is handed `now`. */
export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => Date.now() };
