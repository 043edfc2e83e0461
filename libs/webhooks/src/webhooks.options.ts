import type { Duration } from '#kernel';

export abstract class WebhooksOptions {
  /** The waits between attempts, in milliseconds (D60). */
  abstract readonly backoff: readonly Duration[];
}
