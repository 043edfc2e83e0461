import type { Decision } from '../deciding/command-runner.js';
import type { LoadedState } from '../deciding/loaded-state.js';
import type { Duration } from '../instant.js';
import { ORDER_TIMEOUT } from './order.js';

/**
 * A decision by the 72 hours after the last event of an order, of which so much is left. A clock that is ahead ends them
 * no earlier, and a false time of that event no later (D93).
 */
export const countedAfter =
  <State, Event>(
    last: Pick<LoadedState<State>, 'at' | 'position'>,
    left: Duration,
    decide: Decision<State, Event>,
  ): Decision<State, Event> =>
  (state, now, position) => {
    const end = last.at + ORDER_TIMEOUT;
    if (left > 0) return decide(state, Math.min(now, end - 1), position);
    return decide(state, position === last.position ? Math.max(now, end) : now, position);
  };
