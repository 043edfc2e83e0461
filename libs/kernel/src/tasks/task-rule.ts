import type { DomainEvent, RecordedEvent } from '../events/event.js';
import type { WorkspaceId } from '../ids.js';
import type { Instant } from '../instant.js';

/**
 * The effect of an event on one due item: it makes the item due, or removes it. It has methods, so that one list can hold
 * the plans of all contexts: each effect gets only the events that it was written for.
 */
export interface TaskRule<Event extends DomainEvent = DomainEvent> {
  readonly kind: string;
  /** The id of what the item is about; default: the id of the event's stream. */
  subject?(event: RecordedEvent<Event>): string;
  /** Default: the workspace of the event. */
  workspace?(event: RecordedEvent<Event>): WorkspaceId;
  /** When the item is due; undefined removes it. */
  due(at: Instant, event: RecordedEvent<Event>): Instant | undefined;
}

/** The plan of a context, without the types of its events: the effects of each event type. */
export type AnyTaskRules = Readonly<Record<string, readonly TaskRule[] | undefined>>;
