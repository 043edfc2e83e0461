import type { Duration } from '#kernel';

/** What the configuration decides for this context; durations in milliseconds. */
export abstract class DeindexingOptions {
  /** How often the provider is asked for a request's state. */
  abstract readonly pollEvery: Duration;
  /** The longest time that one call of the provider takes. */
  abstract readonly providerTimeout: Duration;
}
