import type { Duration } from '#kernel';

/** What the configuration decides for this context; durations in milliseconds. */
export abstract class ScansOptions {
  /** How often an active creator is scanned (D49). */
  abstract readonly scheduleEvery: Duration;
  /** How often the engine is asked for a job's state. */
  abstract readonly pollEvery: Duration;
  /** The longest time that one call of the engine takes. */
  abstract readonly providerTimeout: Duration;
}
