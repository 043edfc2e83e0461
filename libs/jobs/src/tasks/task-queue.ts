import { setTimeout as delay } from 'node:timers/promises';
import {
  assertLeading,
  type Clock,
  type Duration,
  Fenced,
  type Grant,
  type Instant,
  type Logger,
  MINUTE,
  NEVER,
  NotLeading,
  type QueueOutcome,
  type RetryDelays,
  retryDelay,
  SECOND,
} from '#kernel';
import { isInfrastructureFailure, MAX_TRIES } from '../dead-letters/dead-letters.js';
import { LeaseHeld } from '../leases/leases.js';
import { type Flight, Flights, MOVED, type Views } from './flights.js';
import { ReadyLanes, TASKS_PER_READ } from './ready-lanes.js';
import type { TaskKind, TaskTimes, WaitingTask } from './task-collection.js';
import { WaitCheck } from './wait-check.js';

/** The longest time between two polls, which find what other processes made ready. */
const POLL_INTERVAL: Duration = 500;
/** The shortest time between two polls, because each event and each end of a task wakes the loop. */
const MIN_POLL_GAP: Duration = 5;
/** Before a task whose lease is held elsewhere is retried, and a lane key whose task's outcome cannot be stored. */
const RETRY_AFTER: Duration = SECOND;
const RETRY_DELAYS: RetryDelays = { first: SECOND, longest: 5 * MINUTE };

/** A task without a document, which the leader runs again and again. */
export interface StandingTask {
  /** From the end of a run to the next one. */
  readonly interval: Duration;
  run(): Promise<void>;
}

/** Starts tasks when they are ready. Only the leader runs it. */
export class TaskQueue {
  private stopping = new AbortController();
  private fence: number | undefined;
  private wake: () => void = () => undefined;
  private readonly flights = new Flights();
  private readonly underWay = new Set<Promise<void>>();
  private readonly lanes: ReadonlyMap<TaskKind, ReadyLanes>;
  private readonly waits: WaitCheck;
  private nextStandingRun: Duration = 0;
  private loop: Promise<void> | undefined;
  private polls = 0;

  constructor(
    private readonly kinds: readonly TaskKind[],
    private readonly views: Views,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly standing?: StandingTask,
    private readonly pollInterval = POLL_INTERVAL,
  ) {
    this.waits = new WaitCheck(kinds, clock);
    this.lanes = new Map(kinds.map((kind) => [kind, new ReadyLanes(kind, this.flights, clock)]));
  }

  /** Starts when `ready` resolves, so that nothing is started from a read model that is behind. May start again after a stop. */
  start(ready: Promise<unknown>, fence?: number): void {
    if (this.loop !== undefined && !this.stopping.signal.aborted) return;
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    this.fence = fence;
    this.nextStandingRun = 0;
    this.loop = ready.then(() => this.run(signal));
  }

  notify(): void {
    this.wake();
  }

  /** How many polls found nothing to start, and whether a task is in flight: tests await the end of all work. */
  get activity(): { readonly polls: number; readonly isBusy: boolean } {
    return { polls: this.polls, isBusy: this.underWay.size > 0 };
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.notify();
    await this.loop;
    await Promise.all(this.underWay);
  }

  /** Starts what is ready at that time, waits until it has ended, and returns how many tasks that were. */
  async runDue(now: Instant): Promise<number> {
    const before = new Set(this.underWay);
    const { started } = await this.poll(now);
    await Promise.all([...this.underWay].filter((task) => !before.has(task)));
    return started;
  }

  private async run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      // Before the poll, so that a notification during it is not lost.
      const { promise: notified, resolve } = Promise.withResolvers<void>();
      this.wake = resolve;
      const began = this.clock.elapsed();
      let next: Instant = NEVER;
      this.runStanding();
      try {
        ({ next } = await this.poll(this.clock.now()));
      } catch (error) {
        if (!(error instanceof NotLeading || error instanceof Fenced))
          this.logger.error({ err: error }, 'the tasks that are ready could not be read; the next poll retries');
      }
      // A read of many lane keys takes longer, and must not use all of the time.
      const gap = Math.min(Math.max(MIN_POLL_GAP, this.clock.elapsed() - began), POLL_INTERVAL);
      if (!stopping.aborted) await delay(gap);
      const timer = setTimeout(resolve, Math.min(this.pollInterval, Math.max(1, next - this.clock.now())));
      await notified;
      clearTimeout(timer);
    }
  }

  private runStanding(): void {
    const { standing, clock } = this;
    if (standing === undefined || clock.elapsed() < this.nextStandingRun) return;
    this.nextStandingRun = Number.POSITIVE_INFINITY;
    const run = standing.run().finally(() => {
      this.underWay.delete(run);
      this.nextStandingRun = clock.elapsed() + standing.interval;
    });
    this.underWay.add(run);
  }

  private async poll(now: Instant): Promise<{ readonly started: number; readonly next: Instant }> {
    await this.waits.check(now, this.fence);
    await this.flights.land(this.views);
    if (this.flights.isFull) return { started: 0, next: NEVER };
    const polls = [...new Set(this.kinds.map(({ tasks }) => tasks))].map(async (tasks) => {
      const first = await tasks.nextReady(-1);
      if (first > now) return { started: 0, next: first };
      const started = await this.startReady(tasks, now);
      return { started, next: await tasks.nextReady(now) };
    });
    const polled = await Promise.all(polls);
    const started = polled.reduce((sum, of) => sum + of.started, 0);
    if (started === 0) this.polls++;
    const elapsed = this.clock.elapsed();
    const wakes = [this.flights, ...this.lanes.values()].map((each) => now + each.nextWake(elapsed) - elapsed);
    return { started, next: Math.min(...wakes, ...polled.map(({ next }) => next)) };
  }

  /** A task that finds no place waits for the end of another one, which wakes the loop. */
  private async startReady(tasks: TaskKind['tasks'], now: Instant): Promise<number> {
    const limit = TASKS_PER_READ + this.flights.count(({ kind }) => kind.tasks === tasks);
    const oldest = await tasks.ready(now, limit);
    const isAll = oldest.length < limit;
    let started = 0;
    for (const [kind, lanes] of this.lanes) {
      if (kind.tasks !== tasks) continue;
      const all = isAll ? oldest.filter((task) => tasks.layout.kindOf(task) === kind.kind) : undefined;
      const ready = await lanes.ready(now, all);
      started += this.startInTurn(kind, lanes, ready);
    }
    return started;
  }

  private startInTurn(kind: TaskKind, lanes: ReadyLanes, ready: readonly WaitingTask[]): number {
    if (this.stopping.signal.aborted) return 0;
    assertLeading();
    const turns = lanes.takeInTurn(ready.filter(({ id }) => !this.flights.has(id)));
    for (const [lane, ofLane] of turns) {
      const isAlone = ({ task }: Grant<WaitingTask>) =>
        !kind.startsTogether || task.failures > 0 || this.flights.isUnmoved(task);
      const together = ofLane.filter((turn) => !isAlone(turn));
      for (const turn of ofLane.filter(isAlone)) this.startTogether(kind, lane, [turn]);
      if (together.length > 0) this.startTogether(kind, lane, together);
    }
    return [...turns.values()].flat().length;
  }

  private startTogether(kind: TaskKind, lane: string, turns: readonly Grant<WaitingTask>[]): void {
    const flights = turns.map(({ task, permit }): Flight => ({ kind, task, lane, permit }));
    for (const flight of flights) this.flights.add(flight);
    const places = flights.map((flight) => ({
      free: () => this.free(flight),
      pauseLane: (wait: Duration) => this.flights.pause(kind, lane, this.clock.elapsed() + wait),
    }));
    const tasks = turns.map(({ task }) => task);
    // It would start again and again. Its failure counts as its own, so that an operator learns about it (D67).
    const outcomes = tasks.some((task) => this.flights.isUnmoved(task))
      ? [Promise.reject(new Error('the task has ended, but no event has moved it'))]
      : kind.start(tasks, places);
    for (const [n, flight] of flights.entries()) {
      const ended = this.settle(flight, outcomes[n] ?? Promise.resolve('done'), turns.length === 1).finally(() => {
        this.underWay.delete(ended);
        this.free(flight);
      });
      this.underWay.add(ended);
    }
  }

  private free({ kind, lane, permit }: Flight): void {
    permit.release();
    this.lanes.get(kind)?.freed(lane);
    this.notify();
  }

  private async settle(flight: Flight, ending: Promise<QueueOutcome>, isAlone: boolean): Promise<void> {
    const { kind, task, lane } = flight;
    try {
      const outcome = await ending;
      if (outcome === 'done') flight.landing = 'ended';
      else if (outcome === 'waits') flight.landing = MOVED;
      else await this.move(flight, timesOf(outcome));
    } catch (error) {
      await this.recordFailure(flight, error, isAlone).catch((cause: unknown) => {
        this.flights.pause(kind, lane, this.clock.elapsed() + RETRY_AFTER);
        flight.landing = MOVED;
        if (cause instanceof NotLeading) return;
        this.logger.warn({ err: cause, item: task.id }, 'the failure of a task could not be stored; retrying');
      });
    }
  }

  private async move(flight: Flight, times: TaskTimes): Promise<void> {
    await flight.kind.tasks.move(flight.task, times, this.fence);
    flight.landing = MOVED;
  }

  /** Postpones the task, and gives it up after three failures that no store or provider has caused (D67). */
  private async recordFailure(flight: Flight, error: unknown, isAlone: boolean): Promise<void> {
    const { task, kind } = flight;
    if (error instanceof LeaseHeld) return this.move(flight, { readyAt: this.clock.now() + RETRY_AFTER });
    if (error instanceof NotLeading) throw error;
    const isOwn = isAlone && !isInfrastructureFailure(error);
    const [failures, tries] = [task.failures + 1, (task.tries ?? 0) + Number(isOwn)];
    const isGivenUp = tries >= MAX_TRIES && kind.isGivenUp?.(task) !== true;
    const fields = { err: error, item: task.id, failures };
    if (isGivenUp) this.logger.error(fields, 'a task failed again; it is set aside');
    else this.logger.warn(fields, 'a task failed; it is postponed');
    const readyAt = this.clock.now() + retryDelay(task.failures, RETRY_DELAYS);
    await kind.tasks.move(task, { readyAt, failures, tries }, this.fence);
    if (isGivenUp) await kind.giveUp(task, error);
    flight.landing = isGivenUp ? 'ended' : MOVED;
  }
}

const timesOf = (outcome: Exclude<QueueOutcome, 'done' | 'waits'>): TaskTimes => {
  const times = outcome === 'idle' ? { readyAt: NEVER } : { readyAt: outcome.retryAt, plannedFor: outcome.retryAt };
  return { ...times, failures: 0, tries: 0 };
};
