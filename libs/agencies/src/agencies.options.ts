import type { Duration } from '#kernel';

/** What this context needs of the configuration. */
export abstract class AgenciesOptions {
  /** How long a positive answer of the platform is reused, in milliseconds; 0 for never (D20). */
  abstract readonly verificationCache: Duration;
}
