import type { Duration, Instant } from '../instant.js';
import type { StoredTask } from './task.js';

/**
 * What a command of due work answers. `done`: an event of this work changes or removes the item. `retryAt`: nothing has
 * changed, so the item is due again then. `idle`: nothing is left to do until an event makes the item due again.
 */
export type TaskOutcome = 'done' | { readonly retryAt: Instant } | 'idle';

/** `waits`: nothing has changed, so the task starts again after its lane key's pause. */
export type QueueOutcome = TaskOutcome | 'waits';

/** Gives the options of a context. */
export type OptionsOf = <Options>(token: abstract new (...given: never[]) => Options) => Options;

/** What is done when an item of a kind is due: a command that answers a `TaskOutcome`. */
export interface TaskJob {
  /**
   * How many items of the kind may be in flight in this process, and a quarter of them those of one agency. An agency that
   * has none in flight does not wait long for slow work of others (D89).
   */
  readonly concurrency: number;
  /**
   * The longest time from one try of an item to the next one. An item that waits for longer waits for a time that a wrong
   * clock has set, and is tried immediately (D93). `NO_TIME_LIMIT` if the platform sets the times.
   */
  readonly longestWait: Duration | ((optionsOf: OptionsOf) => Duration);
  /**
   * A rebuild loses postponed times. Items that were due more than `longestWait` ago are then spread over that time, so that
   * the platform is not called for all of them together.
   */
  readonly isSpread?: true;
  /**
   * Its handler loads the item's streams first, because the item may be older than they are. If it needs a lease that is held,
   * the item is postponed.
   */
  command(item: StoredTask): object;
  /** For an item that was set aside, so that it does not block its creator (D87). Without it the item rests. */
  whenDeadLetter?(item: StoredTask): object;
}

export type TaskJobs = Readonly<Record<string, TaskJob>>;

/** The `longestWait` of a kind without one. */
export const NO_TIME_LIMIT: Duration = Number.POSITIVE_INFINITY;
