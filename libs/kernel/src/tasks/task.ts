import type { Cause } from '../deciding/command-context.js';
import { streamName } from '../events/event.js';
import type { WorkspaceId } from '../ids.js';
import { type Duration, type Instant, SECOND } from '../instant.js';
import type { Projected } from '../read-models/projection.js';
import type { Document } from '../stores/document-store.js';

/** What is due follows from the log. Postponements do not; an event that changes the item removes them. */
export interface Task<Kind extends string = string> extends Document {
  readonly kind: Kind;
  /** The id of what the work is about, such as a scan. */
  readonly subject: string;
  readonly workspaceId: WorkspaceId;
  readonly dueAt: Instant;
  /** The event that made it due. */
  readonly cause: Cause;
  /** `dueAt`, or the end of a postponement. */
  readonly readyAt: Instant;
  /** When its last look that did not fail has planned the next one; undefined before it. */
  readonly plannedFor?: Instant;
  /** How often in a row it failed. */
  readonly failures: number;
  /** It was set aside at `dueAt`, and waits for its retry (D67). Until then only its creator is unblocked (D87). */
  readonly isSetAside?: true;
  /** How many of these failures were its own, and not a store's or provider's (D67); default 0. */
  readonly tries?: number;
}

export const taskOf = <Kind extends string>(
  kind: Kind,
  subject: string,
  workspaceId: WorkspaceId,
  dueAt: Instant,
  cause: Cause,
): Task<Kind> => ({
  id: taskId(kind, subject),
  kind,
  subject,
  workspaceId,
  dueAt,
  cause,
  readyAt: dueAt,
  failures: 0,
});

/** Built like the name of a stream: an item about a stream of the same kind has that stream's name. */
export const taskId = (kind: string, subject: string): string => streamName(kind, subject);

export type StoredTask = Projected<Task>;

/** The process that appended an event has this long for the next step; then the item for that step is due. */
export const DUE_GRACE: Duration = 10 * SECOND;
