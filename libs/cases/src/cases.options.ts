import type { Duration } from '#kernel';

/** What the configuration decides for this context. */
export abstract class CasesOptions {
  /** How often all of a creator's records are read, in milliseconds. */
  abstract readonly walkEvery: Duration;
}
