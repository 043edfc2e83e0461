import type { Clock, Duration, Instant } from '#kernel';

/** Does not advance until a test lets time pass: what becomes due in a test is what the test made fall due. */
export class TestClock implements Clock {
  private instant: Instant = Date.UTC(2026, 2, 10, 12);

  now = (): Instant => this.instant;

  advance(by: Duration): void {
    this.instant += by;
  }
}
