import type { Duration } from '#kernel';

/** What this context needs of the configuration. */
export abstract class WebhooksOptions {
  /** The waits between attempts, in milliseconds (D60). */
  abstract readonly backoff: readonly Duration[];
}
