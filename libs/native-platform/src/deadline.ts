import { setTimeout as delay } from 'node:timers/promises';
import type { Duration } from '#kernel';

export class Deadline {
  private readonly controller = new AbortController();
  private readonly start = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly timeout: Duration) {
    this.timer = setTimeout(() => this.controller.abort(), timeout);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get elapsed(): number {
    return performance.now() - this.start;
  }

  /** Waits, or returns false immediately if the deadline leaves no time for the next call. */
  async pause(wait: Duration): Promise<boolean> {
    if (this.signal.aborted || this.elapsed + wait >= this.timeout) return false;
    await delay(wait);
    return !this.signal.aborted;
  }

  cancel(): void {
    clearTimeout(this.timer);
  }
}
