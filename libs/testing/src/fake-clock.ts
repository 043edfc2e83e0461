import type { Clock, Duration, Instant } from '#kernel';

/** A clock that changes only when the test says so. */
export class FakeClock implements Clock {
  constructor(private instant: Instant = 1_767_225_600_000) {}

  now(): Instant {
    return this.instant;
  }

  /** Also back, as real clocks do when they are corrected. */
  advance(by: Duration): void {
    this.instant += by;
  }

  set(instant: Instant): void {
    this.instant = instant;
  }
}
