import type { Clock, Duration } from '#kernel';

/** A task without a document, which the leader runs again and again. */
export interface StandingTask {
  /** From the end of a run to the next one. */
  readonly interval: Duration;
  /** Reports its own failures. */
  run(): Promise<void>;
}

export class StandingTasks {
  private readonly nextRuns = new Map<StandingTask, Duration>();

  constructor(
    private readonly tasks: readonly StandingTask[],
    private readonly clock: Clock,
  ) {}

  /** All run again immediately. */
  begin(): void {
    this.nextRuns.clear();
  }

  /** Starts what is due; each run is in `underWay` until it has ended. */
  runDue(underWay: Set<Promise<void>>): void {
    const elapsed = this.clock.elapsed();
    for (const task of this.tasks.filter((each) => (this.nextRuns.get(each) ?? elapsed) <= elapsed)) {
      this.nextRuns.set(task, Number.POSITIVE_INFINITY);
      const run = task.run().finally(() => {
        underWay.delete(run);
        this.nextRuns.set(task, this.clock.elapsed() + task.interval);
      });
      underWay.add(run);
    }
  }
}
