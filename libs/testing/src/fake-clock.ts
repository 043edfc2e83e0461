import type { Clock, Duration, Instant } from '#kernel';

/** A clock that changes only when the test says so. */
export class FakeClock implements Clock {
  private passed: Duration = 0;

  constructor(private instant: Instant = 1_767_225_600_000) {}

  now(): Instant {
    return this.instant;
  }

  elapsed(): Duration {
    return this.passed;
  }

  /** Time passes. A negative duration sets the wall clock back, as real ones are when they are corrected. */
  advance(by: Duration): void {
    this.instant += by;
    this.passed += Math.max(0, by);
  }

  /** Time passes until the wall clock shows this. */
  set(instant: Instant): void {
    this.advance(instant - this.instant);
  }

  /** The wall clock is set, and no time passes. */
  jump(by: Duration): void {
    this.instant += by;
  }
}
