/** Wakes all that wait. A notification between a poll and the wait after it is not lost. */
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
}
