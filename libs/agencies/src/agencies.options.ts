import type { Duration } from '#kernel';

/** What the configuration decides for this context. */
export abstract class AgenciesOptions {
  /** How long a positive answer of the platform may serve, in milliseconds; 0 for never (D20). */
  abstract readonly verificationCache: Duration;
}
