import type { Duration } from '#kernel';

export abstract class PrivacyOptions {
  /** How long a process may still decrypt with a key that another process has destroyed. */
  abstract readonly keysForgottenAfter: Duration;
}
