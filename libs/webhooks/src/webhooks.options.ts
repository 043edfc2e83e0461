import type { Duration } from '#kernel';

/** What the configuration decides for this context. */
export abstract class WebhooksOptions {
  /** The waits between attempts, in milliseconds (D60). */
  abstract readonly backoff: readonly Duration[];
}
