import type { Clock, Duration, Instant } from '#kernel';

/** One clock for the service and the sandbox while the demo's history is written. It is behind the real one. */
export class DemoClock implements Clock {
  behind: Duration;

  constructor(private readonly behindAtFirst: Duration) {
    this.behind = behindAtFirst;
  }

  now = (): Instant => Date.now() - this.behind;

  /** Skipped time has passed here too, so that nothing takes this for a clock that was set (D93). */
  elapsed = (): Duration => performance.now() + this.behindAtFirst - this.behind;
}
