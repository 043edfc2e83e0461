import type { Duration, QueueOutcome } from '#kernel';
import type { TaskCollection, WaitingTask } from './task-collection.js';

/** What a started task may tell the queue before it ends. */
export interface Place {
  /** Gives the place to another task. This task stays in flight until its promise settles. */
  free(): void;
  /** No task of the lane key starts for this long. */
  pauseLane(wait: Duration): void;
}

/** How the tasks of one kind run. */
export interface TaskKind<Task extends WaitingTask = WaitingTask> {
  readonly kind: string;
  readonly tasks: TaskCollection<Task>;
  /** How many run together; a lane key that has none in flight gets a place in any case (D89). */
  readonly concurrency: number;
  concurrencyOf(lane: string): number;
  /** A task that is ready later than this waits for a time that a wrong clock has set (D93). */
  readonly longestWait: Duration;
  /** `start` gets all tasks of a lane key that start at the same time, but one that has failed alone. */
  readonly startsTogether: boolean;
  /** A promise for each task. One that rejects is a failure; after three that only the task can cause, it is given up (D67). */
  start(tasks: readonly Task[], places: readonly Place[]): readonly Promise<QueueOutcome>[];
  /** Records a dead letter, which moves the task. */
  giveUp(task: Task, error: unknown): Promise<void>;
  /** Whether the task is a dead letter already. */
  isGivenUp(task: Task): boolean;
}
