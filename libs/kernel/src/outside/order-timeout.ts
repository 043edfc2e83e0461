import type { Decision } from '../deciding/command-runner.js';
import type { LoadedState } from '../deciding/loaded-state.js';
import type { Duration } from '../instant.js';

/** A wait after the last event of a stream, and how much of it is left whichever clock is wrong. */
export interface CountedWait {
  readonly wait: Duration;
  readonly left: Duration;
}

/**
 * A decision by a wait after the last event of an order: for example its 72 hours. A clock that is ahead ends the wait
 * no earlier, and a false time of that event no later (D93).
 */
export const decideAfterWait =
  <State, Event>(
    last: Pick<LoadedState<State>, 'at' | 'position'>,
    { wait, left }: CountedWait,
    decide: Decision<State, Event>,
  ): Decision<State, Event> =>
  (state, now, position) => {
    const end = last.at + wait;
    if (left > 0) return decide(state, Math.min(now, end - 1), position);
    return decide(state, position === last.position ? Math.max(now, end) : now, position);
  };
