import type { Duration } from '#kernel';

/** What this context needs of the configuration; durations in milliseconds. */
export abstract class ScansOptions {
  /** How often an active creator is scanned (D49). */
  abstract readonly scheduleEvery: Duration;
  /** How often the worker asks the engine for a job's state. */
  abstract readonly pollEvery: Duration;
  /** The longest time that one call to the engine takes. */
  abstract readonly providerTimeout: Duration;
}
