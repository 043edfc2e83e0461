import type { Duration } from '#kernel';

/** What this context needs of the configuration; durations in milliseconds. */
export abstract class DeindexingOptions {
  /** How often the worker asks the provider for a request's state. */
  abstract readonly pollEvery: Duration;
  /** The longest time that one call to the provider takes. */
  abstract readonly providerTimeout: Duration;
}
