import type { Duration } from '#kernel';

/** What the configuration decides for this context; durations in milliseconds. */
export abstract class CreatorsOptions {
  /** The longest time that one call of the platform takes. */
  abstract readonly providerTimeout: Duration;
  abstract readonly syncEvery: Duration;
  /** Gets the number of slots of unknown users, after each comparison of an agency's slots. Must not throw. */
  readonly onUnknownSlots?: (count: number) => void;
}
