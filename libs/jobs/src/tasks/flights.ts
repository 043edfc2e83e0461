import type { Duration, Permit, Position } from '#kernel';
import type { TaskKind, WaitingTask } from './task-collection.js';

export interface Views {
  head(): Promise<Position>;
  reached(): Promise<Position>;
}

export interface Flight {
  readonly kind: TaskKind;
  readonly task: WaitingTask;
  readonly lane: string;
  readonly permit: Permit;
  /**
   * After its end, until the read models show it: `ended`, and then the head of the log after the end. After a move of
   * its time it is `MOVED`: a poll that reads at the same moment still finds the task as it was.
   */
  landing?: 'ended' | Position;
}

export const MOVED: Position = 0;

/** No task starts while this many have ended and the read models do not show it yet. */
const MAX_ENDED = 5_000;

const laneId = ({ kind }: TaskKind, lane: string): string => `${kind}:${lane}`;

/** The tasks in flight. One that has ended stays until the read models have passed the event that ended it. */
export class Flights {
  private readonly flights = new Map<string, Flight>();
  private readonly counts = new Map<string, number>();
  private readonly pauses = new Map<string, Duration>();
  /** Those that landed in this poll after an event. */
  private readonly landed = new Map<string, WaitingTask>();

  has(id: string): boolean {
    return this.flights.has(id);
  }

  count(isCounted: (flight: Flight) => boolean = () => true): number {
    let count = 0;
    for (const flight of this.flights.values()) if (isCounted(flight)) count++;
    return count;
  }

  ofLane(kind: TaskKind, lane: string): number {
    return this.counts.get(laneId(kind, lane)) ?? 0;
  }

  add(flight: Flight): void {
    this.flights.set(flight.task.id, flight);
    const id = laneId(flight.kind, flight.lane);
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
  }

  /** Whether no event has moved it, although the read models have passed the one that ended it. */
  isUnmoved({ id, readyAt, position }: WaitingTask): boolean {
    const landed = this.landed.get(id);
    return landed?.readyAt === readyAt && landed.position === position;
  }

  get isFull(): boolean {
    return this.count(({ landing }) => landing !== undefined) >= MAX_ENDED;
  }

  async land(views: Views): Promise<void> {
    this.landed.clear();
    const landing = [...this.flights.values()].filter((flight) => flight.landing !== undefined);
    if (landing.length === 0) return;
    const ended = landing.filter((flight) => flight.landing === 'ended');
    const head = ended.length === 0 ? 0 : await views.head();
    for (const flight of ended) flight.landing = head;
    const reached = await views.reached();
    for (const flight of landing) {
      if (flight.landing === 'ended' || Number(flight.landing) > reached) continue;
      this.delete(flight);
      if (flight.landing !== MOVED) this.landed.set(flight.task.id, flight.task);
    }
  }

  /** `until` and `elapsed` are by `Clock.elapsed`. */
  pause(kind: TaskKind, lane: string, until: Duration): void {
    this.pauses.set(laneId(kind, lane), until);
  }

  isPaused(kind: TaskKind, lane: string, elapsed: Duration): boolean {
    return (this.pauses.get(laneId(kind, lane)) ?? 0) > elapsed;
  }

  /** When the next pause ends; forgets those that have ended. */
  nextWake(elapsed: Duration): Duration {
    for (const [id, until] of this.pauses) if (until <= elapsed) this.pauses.delete(id);
    return Math.min(...this.pauses.values());
  }

  private delete({ task, kind, lane }: Flight): void {
    this.flights.delete(task.id);
    const id = laneId(kind, lane);
    const left = (this.counts.get(id) ?? 0) - 1;
    if (left > 0) this.counts.set(id, left);
    else this.counts.delete(id);
  }
}
