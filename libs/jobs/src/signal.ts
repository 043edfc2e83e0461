import type { Duration, Instant } from '#kernel';

/** The longest time between two polls of a loop, which find what other processes made due. */
export const POLL_INTERVAL: Duration = 500;

/** Wakes all that wait. A notification between a poll and the following wait is not lost. */
export class Signal {
  private notified = Promise.withResolvers<void>();

  /** Resolves at the next notification. Call it before the poll, and await it after the poll. */
  wait(): Promise<void> {
    return this.notified.promise;
  }

  notify(): void {
    this.notified.resolve();
    this.notified = Promise.withResolvers<void>();
  }

  /** Waits for the notification, until something is due at `next`, or until the next poll, whichever is first. */
  async waitForPoll(notified: Promise<void>, next: Instant, now: Instant): Promise<void> {
    const wait = Math.min(POLL_INTERVAL, Math.max(1, next - now));
    // Not a race with a timer, because each race adds to a promise that stays pending while the service is idle.
    const timer = setTimeout(() => this.notify(), wait);
    await notified;
    clearTimeout(timer);
  }
}
