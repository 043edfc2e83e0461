import type { Duration } from '#kernel';
import type { LongListOptions } from './domain/long-list.js';

/** What the configuration decides for this context; durations in milliseconds. */
export abstract class ImpersonationsOptions implements LongListOptions {
  abstract readonly providerTimeout: Duration;
  abstract readonly walkEvery: Duration;
}
