import type { DomainEvent } from './event.js';
import type { Instant } from './instant.js';

/**
 * How a stream's events add up to a state. `evolve` never throws, never validates and never reads a clock; `at` is the
 * event's own time. Decisions are plain functions of the state beside it.
 */
export interface Decider<State, Event extends DomainEvent> {
  readonly category: string;
  readonly initial: State;
  evolve(state: State, event: Event, at: Instant): State;
}

/** Ends the `switch` of a fold: it compiles only while every event is handled, and a newer service's event changes nothing. */
export const unknownEvent = <State>(_event: never, state: State): State => state;
