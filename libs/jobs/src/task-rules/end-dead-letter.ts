import {
  type CommandContext,
  type Decision,
  type DomainEvent,
  decideAfterWait,
  ORDER_TIMEOUT,
  type Repository,
  type TaskOutcome,
} from '#kernel';
import type { ClockWatch } from '../clock/clock-watch.js';

interface DeadLetterOrders<State, Event extends DomainEvent, Key extends string> {
  readonly repository: Repository<State, Event, Key>;
  /** What was never sent ends; the rest is uncertain, and ends 72 hours later. */
  readonly end: Decision<State, Event>;
  readonly isUncertain: (state: State) => boolean;
  readonly clocks: ClockWatch;
}

/** One step towards the end of an order whose due work was set aside (D87), by the same 72 hours as any order's (D93). */
export const endDeadLetter = async <State, Event extends DomainEvent, Key extends string>(
  id: Key,
  context: CommandContext,
  { repository, end, isUncertain, clocks }: DeadLetterOrders<State, Event, Key>,
): Promise<TaskOutcome> => {
  const order = await repository.load(id);
  const timeout = { wait: ORDER_TIMEOUT, left: clocks.remainingFor(order, ORDER_TIMEOUT) };
  const { state, events } = await repository.update(order, context, decideAfterWait(order, timeout, end));
  if (events.length > 0) return 'done';
  return isUncertain(state) ? { retryAt: clocks.endFor(order, ORDER_TIMEOUT) } : 'idle';
};
