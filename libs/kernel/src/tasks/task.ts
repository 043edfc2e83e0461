import type { Cause } from '../deciding/command-context.js';
import { type DomainEvent, type RecordedEvent, streamName } from '../events/event.js';
import type { WorkspaceId } from '../ids.js';
import { type Duration, type Instant, SECOND } from '../instant.js';
import type { Projected } from '../read-models/projection.js';
import type { Document } from '../stores/document-store.js';

/** The effect of an event on one task. It has methods, so that one list can hold the rules of all contexts. */
export interface TaskRule<Event extends DomainEvent = DomainEvent> {
  readonly kind: string;
  /** Default: the id of the event's stream. */
  subject?(event: RecordedEvent<Event>): string;
  /** Default: the workspace of the event. */
  workspace?(event: RecordedEvent<Event>): WorkspaceId;
  due(at: Instant, event: RecordedEvent<Event>): Instant | undefined;
}

export type AnyTaskRules = Readonly<Record<string, readonly TaskRule[] | undefined>>;

/**
 * The answer of a task's command. `done`: an event of this work changes or removes the task. `retryAt`: nothing has
 * changed, so the task is due again then. `idle`: nothing is left to do until an event makes the task due again.
 */
export type TaskOutcome = 'done' | { readonly retryAt: Instant } | 'idle';

/** `waits`: nothing has changed, so the task starts again after its lane key's pause. */
export type QueueOutcome = TaskOutcome | 'waits';

export type OptionsOf = <Options>(token: abstract new (...given: never[]) => Options) => Options;

export interface TaskJob {
  /** How many tasks of the kind may be in flight; a quarter of them those of one agency (D89). */
  readonly concurrency: number;
  /**
   * The longest time from one try to the next. A task that waits for longer waits for a time that a wrong clock has set, and
   * is tried immediately (D93). `NO_TIME_LIMIT` if the platform sets the times.
   */
  readonly longestWait: Duration | ((optionsOf: OptionsOf) => Duration);
  /** Tasks that were due more than `longestWait` ago, as after a rebuild, are spread over that time. */
  readonly isSpread?: true;
  /** Its handler loads the task's streams first, because the task may be older than they are. */
  command(item: StoredTask): object;
  /** The command also ends the subject of an item that was set aside, so that it does not block its creator (D87). Others rest. */
  readonly endsDeadLetters?: true;
}

export type TaskJobs = Readonly<Record<string, TaskJob>>;

export const NO_TIME_LIMIT: Duration = Number.POSITIVE_INFINITY;

/** Tasks follow from the log. Postponements do not: an event that changes the task removes them. */
export interface Task<Kind extends string = string> extends Document {
  readonly kind: Kind;
  readonly subject: string;
  readonly workspaceId: WorkspaceId;
  readonly dueAt: Instant;
  readonly cause: Cause;
  readonly readyAt: Instant;
  /** The time of the next run, as planned by its last one that did not fail; undefined before that. */
  readonly plannedFor?: Instant;
  readonly failures: number;
  /** It was set aside at `dueAt`, and waits for its retry (D67). Until then only its creator is unblocked (D87). */
  readonly isSetAside?: true;
  /** The failures among these that no store or provider has caused (D67); default 0. */
  readonly tries?: number;
}

export const taskOf = <Kind extends string>(
  kind: Kind,
  subject: string,
  workspaceId: WorkspaceId,
  dueAt: Instant,
  cause: Cause,
): Task<Kind> => ({ id: taskId(kind, subject), kind, subject, workspaceId, dueAt, cause, readyAt: dueAt, failures: 0 });

export const taskId = (kind: string, subject: string): string => streamName(kind, subject);

export type StoredTask = Projected<Task>;

/** The process that appended an event has this long for the next step; then the task for that step is due. */
export const DUE_GRACE: Duration = 10 * SECOND;
