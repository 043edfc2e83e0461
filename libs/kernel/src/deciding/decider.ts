import type { DomainEvent } from '../events/event.js';
import type { Instant } from '../instant.js';

/** `evolve` never throws, validates or reads a clock; `at` is the time of the event. Decisions are plain functions. */
export interface Decider<State, Event extends DomainEvent> {
  readonly category: string;
  readonly initial: State;
  /** Many requests of an agency need this state: the cache has a part for such states, however large they are. */
  readonly isNeededOften?: true;
  evolve(state: State, event: Event, at: Instant): State;
  /** What is appended in place of the event if the clock shows a time before the stream's last event (D93). */
  whenClockIsBehind?(event: Event, clock: Instant): Event;
}

/** Ends the `switch` of a fold, which compiles only if every event is handled. An event of a newer service has no effect. */
export const unknownEvent = <State>(_event: never, state: State): State => state;
