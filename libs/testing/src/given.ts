import { expect } from '@jest/globals';
import { type Decider, DomainError, type DomainEvent, type ErrorCode, type Instant } from '#kernel';

/** An event of a stream's past, and when it was recorded. */
export interface TimedEvent<Event> {
  readonly at: Instant;
  readonly event: Event;
}

/** An event without a time was recorded at the time of the one before it, the first one at 0. */
export type Past<Event> = readonly (Event | TimedEvent<Event>)[];

/** The event, as recorded at that time. */
export const at = <Event>(instant: Instant, event: Event): TimedEvent<Event> => ({ at: instant, event });

export interface Outcome<Event> {
  /** Exactly these events, as the log will give them back. */
  then(expected: readonly Event[]): void;
  /** A repeat: there is nothing to record. */
  thenNothing(): void;
  /** Refused with that code; a repeat may succeed after `retryAfterSeconds`. */
  thenRefused(code: ErrorCode, retryAfterSeconds?: number): void;
}

/** A decision on the state that the past adds up to; `now` is the time of the last event where it is left out. */
export const given = <State, Event extends DomainEvent>(decider: Decider<State, Event>, past: Past<Event>) => ({
  when: (decide: (state: State, now: Instant) => readonly Event[], now?: Instant): Outcome<Event> => {
    const { state, lastAt } = replay(decider, past);
    const decided = attempt(() => decide(state, now ?? lastAt));
    return {
      // biome-ignore lint/suspicious/noThenProperty: it reads as given, when, then; nobody awaits it.
      then: (expected) => expect(asRecorded(eventsOf(decided))).toStrictEqual(expected),
      thenNothing: () => expect(eventsOf(decided)).toStrictEqual([]),
      thenRefused: (code, retryAfterSeconds) => expect(refusalOf(decided)).toStrictEqual({ code, retryAfterSeconds }),
    };
  },
});

/** The state that a stream's past adds up to. */
export const folded = <State, Event extends DomainEvent>(decider: Decider<State, Event>, past: Past<Event>): State =>
  replay(decider, past).state;

const replay = <State, Event extends DomainEvent>(decider: Decider<State, Event>, past: Past<Event>) =>
  past.reduce(
    ({ state, lastAt }: { state: State; lastAt: Instant }, entry) => {
      const { event, at: instant } = 'event' in entry ? entry : at(lastAt, entry);
      return { state: decider.evolve(state, stored(event), instant), lastAt: instant };
    },
    { state: decider.initial, lastAt: 0 },
  );

/** The event as a reader of the log gets it: JSON, which cannot be changed. */
const stored = <Event>(event: Event): Event => frozen(JSON.parse(JSON.stringify(event)));

const frozen = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

/** The events, once it is sure that the log gives them back as they were decided. */
const asRecorded = <Event>(events: readonly Event[]): readonly Event[] => {
  expect(JSON.parse(JSON.stringify(events))).toStrictEqual(events);
  return events;
};

type Attempt<Value> = { readonly value: Value } | { readonly error: unknown };

const attempt = <Value>(work: () => Value): Attempt<Value> => {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
};

const eventsOf = <Event>(decided: Attempt<readonly Event[]>): readonly Event[] => {
  if ('error' in decided) throw decided.error;
  return decided.value;
};

const refusalOf = (decided: Attempt<unknown>) => {
  if ('value' in decided) return { decided: decided.value };
  if (!(decided.error instanceof DomainError)) throw decided.error;
  const { code, retryAfterSeconds } = decided.error;
  return { code, retryAfterSeconds };
};
