import type { ClockWatch } from '../clock-watch.js';
import type { Repository } from '../contexts/repository.js';
import type { CommandContext } from '../deciding/command-context.js';
import type { Decision } from '../deciding/command-runner.js';
import { holds, type LoadedState } from '../deciding/decider.js';
import type { DomainEvent } from '../events/event.js';
import type { Duration, Instant } from '../instant.js';
import type { TaskOutcome } from '../tasks/task.js';
import type { Effect } from './effect.js';
import {
  type CallFacts,
  decideAfterWait,
  nextStep,
  OUTCOME_TIMEOUT,
  type OutboundCall,
  type Wanted,
} from './outbound-call.js';

/** The differences between kinds of outbound calls. `Called`: the state once the intent is recorded, until the call ends. */
export interface OutboundCallProtocol<State, Called extends State, Event, Key extends string, Answer>
  extends Pick<CallFacts, 'isConfigured' | 'callTimeout'> {
  readonly outboundCallOf: (state: State) => OutboundCall | undefined;
  readonly isCalled: (state: State) => state is Called;
  /** Checked in each run, and again after a lookup has found none, because a lookup may take seconds. */
  readonly wanted: (state: LoadedState<State, Key>, isNotFound: boolean) => Promise<Wanted>;
  readonly intent: Decision<State, Event>;
  /** The same body under the same key, in every repeat. */
  readonly call: (state: Called) => Promise<Effect<Answer>>;
  readonly lookUp: (state: Called) => Promise<Answer | undefined>;
  readonly answered: (state: State, answer: Answer, now: Instant) => readonly Event[];
  readonly refused: (state: State, code: string, now: Instant) => readonly Event[];
  /** The outcome is unknown; given up after `OUTCOME_TIMEOUT`. */
  readonly unknown: Decision<State, Event>;
  /** Not wanted, and the outside system does not have it. */
  readonly cancel: Decision<State, Event>;
  /** Does what has to follow an answer; true if that has ended the call. */
  readonly follow?: (loaded: LoadedState<State, Key>, answer: Answer) => Promise<boolean>;
  /** The time until the next lookup; undefined if none is left to do. */
  readonly pollEvery: (state: State, now: Instant) => Duration | undefined;
}

/** Each step is recorded, so any worker can take the next one (D47). Rejects with the outside system's failure. */
export const advanceOutboundCall = async <
  State,
  Called extends State,
  Event extends DomainEvent,
  Key extends string,
  Answer,
>(
  repository: Repository<State, Event, Key>,
  target: LoadedState<State, Key>,
  context: CommandContext,
  clocks: Pick<ClockWatch, 'now' | 'remainingFor'>,
  deniedUntil: CallFacts['deniedUntil'],
  protocol: OutboundCallProtocol<State, Called, Event, Key, Answer>,
): Promise<TaskOutcome> => {
  const { outboundCallOf, isCalled, answered, isConfigured, callTimeout } = protocol;
  type Loaded = LoadedState<State, Key>;

  const callEndsIn = clocks.remainingFor(target, 2 * callTimeout);
  const timeout = { wait: OUTCOME_TIMEOUT, left: clocks.remainingFor(target, OUTCOME_TIMEOUT) };
  const unknown = decideAfterWait(target, timeout, protocol.unknown);

  const record = (from: Loaded, decide: Decision<State, Event>) => repository.update(from, context, decide);

  const after = async (loaded: Loaded, answer?: Answer): Promise<TaskOutcome> => {
    if (answer !== undefined && (await protocol.follow?.(loaded, answer)) === true) return 'done';
    if (outboundCallOf(loaded.state) === undefined) return 'done';
    const now = clocks.now();
    const wait = protocol.pollEvery(loaded.state, now);
    return wait === undefined ? 'idle' : { retryAt: now + wait };
  };

  const call = async (loaded: Loaded, isFirst: boolean): Promise<TaskOutcome> => {
    const intended = await record(loaded, protocol.intent);
    // Another worker has recorded the intent, and may be calling.
    if (isFirst && intended.events.length === 0) return 'done';
    if (!isCalled(intended.state)) return 'done';
    const effect = await protocol.call(intended.state);
    const recorded = await record(intended, (state, now, position) => {
      if (effect.outcome === 'done') return answered(state, effect.value, now);
      if (effect.outcome === 'refused') return protocol.refused(state, effect.code, now);
      return unknown(state, now, position);
    });
    if (effect.outcome === 'unknown') throw effect.error;
    return after(recorded, effect.outcome === 'done' ? effect.value : undefined);
  };

  const run = async (loaded: Loaded, isNotFound: boolean): Promise<TaskOutcome> => {
    const outbound = outboundCallOf(loaded.state);
    if (outbound === undefined) return 'done';
    const wanted = await protocol.wanted(loaded, isNotFound);
    const now = clocks.now();
    const pollEvery = protocol.pollEvery(loaded.state, now) ?? 0;
    const facts = { wanted, deniedUntil, isConfigured, isNotFound, callTimeout, callEndsIn, pollEvery };
    const next = nextStep(outbound, facts, now);
    switch (next.step) {
      case 'wait':
        return { retryAt: next.until };
      case 'cancel':
        return after(await record(loaded, protocol.cancel));
      case 'call':
        return call(loaded, outbound.calledAt === null);
      case 'look_up': {
        if (!holds(loaded, isCalled)) return 'done';
        const answer = await protocol.lookUp(loaded.state).catch(async (error: unknown) => {
          // A lookup without an answer says as little as one that finds none, and the 72 hours continue.
          await record(loaded, unknown);
          throw error;
        });
        if (answer === undefined) return run(await record(loaded, unknown), true);
        return after(await record(loaded, (state, at) => answered(state, answer, at)), answer);
      }
    }
  };

  return outboundCallOf(target.state) === undefined ? 'idle' : run(target, false);
};

interface DeadLetterCalls<State, Event extends DomainEvent, Key extends string> {
  readonly repository: Repository<State, Event, Key>;
  /** Ends a call that was never sent; any other is uncertain, and ends 72 hours later. */
  readonly end: Decision<State, Event>;
  readonly isUncertain: (state: State) => boolean;
  readonly clocks: ClockWatch;
}

/** One step toward the end of an outbound call whose task was set aside (D87), by the same 72 hours as for any other (D93). */
export const endDeadLetter = async <State, Event extends DomainEvent, Key extends string>(
  loaded: LoadedState<State, Key>,
  context: CommandContext,
  { repository, end, isUncertain, clocks }: DeadLetterCalls<State, Event, Key>,
): Promise<TaskOutcome> => {
  const timeout = { wait: OUTCOME_TIMEOUT, left: clocks.remainingFor(loaded, OUTCOME_TIMEOUT) };
  const { state, events } = await repository.update(loaded, context, decideAfterWait(loaded, timeout, end));
  if (events.length > 0) return 'done';
  return isUncertain(state) ? { retryAt: clocks.endFor(loaded, OUTCOME_TIMEOUT) } : 'idle';
};
