import type { Clock, Duration, Instant } from '#kernel';

/** Advances only when a test lets time pass: nothing becomes due in between. */
export class TestClock implements Clock {
  private instant: Instant = Date.UTC(2026, 2, 10, 12);

  now = (): Instant => this.instant;

  advance(by: Duration): void {
    this.instant += by;
  }
}
