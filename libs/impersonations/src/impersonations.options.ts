import type { Duration } from '#kernel';

/** What the configuration decides for this context; durations in milliseconds. */
export abstract class ImpersonationsOptions {
  /** How much time a request has for its synchronization. */
  abstract readonly providerTimeout: Duration;
  abstract readonly walkEvery: Duration;
}
