import { type Clock, type Duration, FairSemaphore, type Grant, type Instant } from '#kernel';
import type { Flights } from './flights.js';
import type { TaskKind, WaitingTask } from './task-collection.js';

export const TASKS_PER_READ = 100;
/** How many lane keys one walk visits at most; the next walk continues there. */
const MAX_WALKED = 250;
/** Between two walks, only lane keys whose tasks have ended are read. */
const WALK_INTERVAL: Duration = 50;
/** The tasks of one lane key, with those that have given their place back. */
const MAX_IN_FLIGHT = 1_024;

/** The places of one kind, and what may take them when more tasks are ready than one read returns. */
export class ReadyLanes {
  private readonly permits: FairSemaphore;
  private readonly freedLanes = new Set<string>();
  private nextWalk: Duration = Number.NEGATIVE_INFINITY;
  private dueWalk: Duration = Number.POSITIVE_INFINITY;
  /** The last lane key that walks have visited. Each one found gets a place, unless it has a task in flight. */
  private walkedTo = '';

  constructor(
    private readonly kind: TaskKind,
    private readonly flights: Flights,
    private readonly clock: Clock,
  ) {
    const perAgency = (lane: string) => (this.mayStart(lane) ? kind.concurrencyOf(lane) : 0);
    this.permits = new FairSemaphore({ perAgency, total: kind.concurrency, alwaysOne: true });
  }

  freed(lane: string): void {
    this.freedLanes.add(lane);
  }

  /** `all`, or else the oldest tasks; if there are too many, the first ones of each lane key that has a place. */
  async ready(now: Instant, all: readonly WaitingTask[] | undefined): Promise<readonly WaitingTask[]> {
    const { kind, tasks } = this.kind;
    const limit = TASKS_PER_READ + this.flights.count((flight) => flight.kind === this.kind);
    const oldest = all ?? (await tasks.readyOfKind(kind, now, limit));
    const freed = new Set(this.freedLanes);
    this.freedLanes.clear();
    if (oldest === all || oldest.length < limit) return oldest;
    const ofFreed = (await Promise.all([...freed].map((lane) => this.ofLane(lane, now)))).flat();
    const elapsed = this.clock.elapsed();
    if (elapsed < this.nextWalk) {
      this.dueWalk = this.nextWalk;
      return ofFreed;
    }
    this.nextWalk = elapsed + WALK_INTERVAL;
    return [...ofFreed, ...(await this.walk(now, freed))];
  }

  takeInTurn(ready: readonly WaitingTask[]): Map<string, Grant<WaitingTask>[]> {
    const laneOf = (task: WaitingTask) => this.kind.tasks.layout.laneOf(task);
    return Map.groupBy(this.permits.takeInTurn(Map.groupBy(ready, laneOf)), ({ task }) => laneOf(task));
  }

  /** By `Clock.elapsed`: when a walk is due for which this poll came too soon. */
  nextWake(): Duration {
    const { dueWalk } = this;
    this.dueWalk = Number.POSITIVE_INFINITY;
    return dueWalk;
  }

  /** From where the last one ended. Those that were `freed` are known already. */
  private async walk(now: Instant, freed: ReadonlySet<string>): Promise<WaitingTask[]> {
    const { kind, tasks } = this.kind;
    const found: WaitingTask[] = [];
    for (let walked = 0; walked < MAX_WALKED; walked++) {
      const next = await tasks.firstOfNextLane(kind, this.walkedTo);
      this.walkedTo = next === undefined ? '' : tasks.layout.laneOf(next);
      if (next === undefined) break;
      if (next.readyAt <= now && !freed.has(this.walkedTo)) found.push(...(await this.ofLane(this.walkedTo, now)));
    }
    return found;
  }

  /** As many as it has places; the read shows those in flight too. */
  private async ofLane(lane: string, now: Instant): Promise<WaitingTask[]> {
    const places = this.permits.free(lane);
    if (places === 0) return [];
    const limit = places + this.flights.ofLane(this.kind, lane);
    const ready = await this.kind.tasks.readyOfLane(this.kind.kind, lane, now, limit);
    return ready.filter(({ id }) => !this.flights.has(id));
  }

  private mayStart(lane: string): boolean {
    const isPaused = this.flights.isPaused(this.kind, lane, this.clock.elapsed());
    return !isPaused && this.flights.ofLane(this.kind, lane) < MAX_IN_FLIGHT;
  }
}
