import type { Clock, Duration, Instant } from '#kernel';

/** Advances only when a test lets time pass: nothing becomes due in between. */
export class TestClock implements Clock {
  private instant: Instant = Date.UTC(2026, 2, 10, 12);
  private passed: Duration = 0;

  now = (): Instant => this.instant;

  elapsed = (): Duration => this.passed;

  advance(by: Duration): void {
    this.instant += by;
    this.passed += Math.max(0, by);
  }

  /** The wall clock is set, and no time passes. */
  jump(by: Duration): void {
    this.instant += by;
  }
}
