import type { Repository } from '../contexts/repository.js';
import type { CommandContext } from '../deciding/command-context.js';
import type { Decision } from '../deciding/command-runner.js';
import type { Decided, LoadedState } from '../deciding/decider.js';
import type { DomainError } from '../errors.js';
import type { DomainEvent } from '../events/event.js';

/** The outcome of a call that changes something outside. A lookup, or the same call again, settles an unknown one. */
export type Effect<Value> =
  | { readonly outcome: 'done'; readonly value: Value }
  /** `fence`: with `stale_fence`, the highest that the outside system has seen. */
  | { readonly outcome: 'refused'; readonly code: string; readonly fence?: number }
  | { readonly outcome: 'unknown'; readonly error: DomainError };

export const isRefusedWith = (effect: Effect<unknown>, code: string): boolean =>
  effect.outcome === 'refused' && effect.code === code;

/** The call that was made, as the decision on its outcome sees it. */
export interface CallMade<State> {
  readonly intended: State;
  /** Something was recorded since. It may be newer than the answer. */
  readonly isOvertaken: boolean;
}

export interface EffectSteps<State, Event, Called extends Effect<unknown> | undefined> {
  /** Left out if the request has recorded it before, or if the same call is harmless however often it is made. */
  readonly intent?: Decision<State, Event>;
  readonly call: (intended: State) => Promise<Called> | Called;
  /** Everything recorded of the outcome: nothing if the same call or the worker settles an unknown one without it. */
  readonly outcome: (state: State, effect: Exclude<Called, undefined>, call: CallMade<State>) => readonly Event[];
}

export interface PerformedEffect<State, Event, Key extends string, Called> {
  readonly loaded: Decided<State, Event, Key>;
  readonly effect: Called;
  readonly isOvertaken: boolean;
}

/** Intent, call, outcome. After a crash at any point, the same request or the worker continues from the intent. */
export const performEffect = async <
  State,
  Event extends DomainEvent,
  Key extends string,
  Called extends Effect<unknown> | undefined,
>(
  repository: Repository<State, Event, Key>,
  target: LoadedState<State, Key>,
  context: CommandContext,
  { intent, call, outcome }: EffectSteps<State, Event, Called>,
): Promise<PerformedEffect<State, Event, Key, Called>> => {
  const intended = intent === undefined ? target : await repository.update(target, context, intent);
  const effect = await call(intended.state);
  if (effect === undefined) return { loaded: { ...intended, events: [] }, effect, isOvertaken: false };
  let isOvertaken = false;
  const loaded = await repository.update(intended, context, (state, _now, position) => {
    isOvertaken = position > intended.position;
    return outcome(state, effect as Exclude<Called, undefined>, { intended: intended.state, isOvertaken });
  });
  return { loaded, effect, isOvertaken };
};
