import { type DomainEvent, NO_EVENTS, type Position, type RecordedEvent, type Revision } from '../events/event.js';
import type { Instant } from '../instant.js';
import type { Cause } from './command-context.js';

/** The state of a stream, loaded or appended within one request or job. Pass it on, so that it is not read again. */
export interface LoadedState<State, Key extends string = string> {
  readonly id: Key;
  readonly state: State;
  /** -1 if the stream has no event. */
  readonly revision: Revision;
  /** Time and position of the last event, 0 without one. */
  readonly at: Instant;
  readonly position: Position;
  /** The last event, as events that it causes refer to it. */
  readonly cause: Cause | null;
}

export interface Decided<State, Event, Key extends string = string> extends LoadedState<State, Key> {
  /** The appended events; empty for a repeat. */
  readonly events: readonly Event[];
}

export const emptyState = <State, Key extends string>(
  { initial }: { readonly initial: State },
  id: Key,
): LoadedState<State, Key> => ({ id, state: initial, revision: NO_EVENTS, at: 0, position: 0, cause: null });

export const foldEvent = <State, Event extends DomainEvent, Key extends string>(
  decider: Decider<State, Event>,
  before: LoadedState<State, Key>,
  event: RecordedEvent<Event>,
): LoadedState<State, Key> => ({
  id: before.id,
  state: decider.evolve(before.state, event, event.metadata.at),
  revision: event.revision,
  at: event.metadata.at,
  position: event.position,
  cause: { id: event.id, correlationId: event.metadata.correlationId },
});

export const holds = <State, Kind extends State, Key extends string>(
  loaded: LoadedState<State, Key>,
  isOfKind: (state: State) => state is Kind,
): loaded is LoadedState<Kind, Key> => isOfKind(loaded.state);

/** `evolve` never throws, validates or reads a clock; `at` is the time of the event. Decisions are plain functions. */
export interface Decider<State, Event extends DomainEvent> {
  readonly category: string;
  readonly initial: State;
  /** Many requests of an agency need this state: the cache has a part for such states, regardless of their size. */
  readonly isNeededOften?: true;
  evolve(state: State, event: Event, at: Instant): State;
  /** Replaces the event if the clock shows a time before the stream's last event (D93). */
  whenClockIsBehind?(event: Event, clock: Instant): Event;
}

/** Ends the `switch` of a fold, which compiles only if every event is handled. An event of a newer service has no effect. */
export const unknownEvent = <State>(_event: never, state: State): State => state;
