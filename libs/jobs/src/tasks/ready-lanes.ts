import { AgencyPermits, type Clock, type Duration, type Instant } from '#kernel';
import type { Flights } from './flights.js';
import type { WaitingTask } from './task-collection.js';
import type { TaskKind } from './task-kind.js';

export const TASKS_PER_READ = 100;
/** How many lane keys one walk visits at most; the next one continues there. */
const MAX_WALKED = 500;
/** How many lane keys with ready tasks are enough for one walk. */
const MAX_FOUND = 32;
/** Between two walks, only lane keys whose tasks have ended are read. */
const WALK_INTERVAL: Duration = 50;
/** Of one lane key, with those that have given their place back. */
const MAX_IN_FLIGHT = 1_024;
/** D89: a lane key that has no task in flight waits at most this long for slow work of others. */
const SLOW_AFTER: Duration = 500;

/** The places of one kind, and what may take them when more tasks are ready than one read returns. */
export class ReadyLanes {
  readonly permits: AgencyPermits;
  private readonly freedLanes = new Set<string>();
  private nextWalk: Duration = Number.NEGATIVE_INFINITY;
  private isWalkDue = false;

  constructor(
    private readonly kind: TaskKind,
    private readonly flights: Flights,
    private readonly clock: Clock,
  ) {
    const perAgency = (lane: string) => (this.mayStart(lane) ? kind.concurrencyOf(lane) : 0);
    this.permits = new AgencyPermits({ perAgency, total: kind.concurrency, slowAfter: SLOW_AFTER }, () =>
      clock.elapsed(),
    );
  }

  freed(lane: string): void {
    this.freedLanes.add(lane);
  }

  /** The oldest tasks; if there are too many, the first ones of each lane key that has a place. */
  async ready(now: Instant): Promise<WaitingTask[]> {
    const { kind, tasks } = this.kind;
    const limit = TASKS_PER_READ + this.flights.count((flight) => flight.kind === this.kind);
    const oldest = await tasks.readyOfKind(kind, now, limit);
    if (oldest.length < limit) return oldest;
    const elapsed = this.clock.elapsed();
    this.isWalkDue = elapsed < this.nextWalk;
    if (this.isWalkDue) return this.ofFreedLanes(now);
    this.nextWalk = elapsed + WALK_INTERVAL;
    return this.walk(now);
  }

  /** By `Clock.elapsed`: when a walk is due that came too soon after the last one. */
  get dueWalk(): Duration | undefined {
    return this.isWalkDue ? this.nextWalk : undefined;
  }

  private async ofFreedLanes(now: Instant): Promise<WaitingTask[]> {
    const lanes = [...this.freedLanes];
    this.freedLanes.clear();
    return (await Promise.all(lanes.map((lane) => this.ofLane(lane, now)))).flat();
  }

  /** From the lane key after the last one that started. */
  private async walk(now: Instant): Promise<WaitingTask[]> {
    this.freedLanes.clear();
    const { kind, tasks } = this.kind;
    const start = this.permits.lastTurn;
    const found: WaitingTask[] = [];
    let [after, isPastEnd] = [start, start === ''];
    for (let walked = 0, lanes = 0; walked < MAX_WALKED && lanes < MAX_FOUND; walked++) {
      const next = await tasks.firstOfNextLane(kind, after);
      if (next === undefined && !isPastEnd) {
        [after, isPastEnd] = ['', true];
        continue;
      }
      if (next === undefined || (isPastEnd && start !== '' && tasks.laneOf(next) > start)) return found;
      after = tasks.laneOf(next);
      const ofLane = next.readyAt <= now ? await this.ofLane(after, now) : [];
      if (ofLane.length > 0) lanes++;
      found.push(...ofLane);
    }
    if (found.length === 0) this.permits.lastTurn = after;
    return found;
  }

  /** As many as it has places; those in flight are shown as ready too. */
  private async ofLane(lane: string, now: Instant): Promise<WaitingTask[]> {
    const places = this.permits.free(lane);
    if (places === 0) return [];
    const limit = places + this.flights.ofLane(this.kind, lane);
    return this.kind.tasks.readyOfLane(this.kind.kind, lane, now, limit);
  }

  private mayStart(lane: string): boolean {
    const isPaused = this.flights.isPaused(this.kind, lane, this.clock.elapsed());
    return !isPaused && this.flights.ofLane(this.kind, lane) < MAX_IN_FLIGHT;
  }
}
