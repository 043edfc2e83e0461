import type { Decision } from '../deciding/command-runner.js';
import type { LoadedState } from '../deciding/decider.js';
import { type Duration, HOUR, type Instant, MINUTE } from '../instant.js';

/** a wait after the last event of an outbound call. `left` is right whichever clock is wrong. */
interface CountedWait {
  readonly wait: Duration;
  readonly left: Duration;
}

/** A clock that is ahead does not end the wait earlier, and a false time of the last event does not end it later (D93). */
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

/** How long an outcome may be unknown before the call is given up (D47). */
export const OUTCOME_TIMEOUT: Duration = 72 * HOUR;
/** D79: another worker, or this one after a restart, may have an outside system. */
export const RETRY_UNCONFIGURED: Duration = MINUTE;

/** A call to an outside system that has not ended, as the log shows it. It may be repeated under its key. */
export interface OutboundCall {
  /** When the intent of its first call was recorded; null if nothing was sent. */
  readonly calledAt: Instant | null;
  /** The outside system has shown its effect. From then on it is only looked up, never repeated. */
  readonly isConfirmed: boolean;
}

/** `no`: not any more. `later`: unknown now. */
export type Wanted = 'yes' | 'no' | 'later';

export interface CallFacts {
  readonly wanted: Wanted;
  /** The agency is denied, and is checked again then (D19); undefined if it is verified. */
  readonly deniedUntil: Instant | undefined;
  readonly isConfigured: boolean;
  readonly isNotFound: boolean;
  readonly callTimeout: Duration;
  /** How long to wait for a call that bears a later time than the clock shows, because one of two clocks was wrong (D93). */
  readonly callEndsIn: Duration;
  readonly pollEvery: Duration;
}

export type CallStep =
  | { readonly step: 'wait'; readonly until: Instant }
  | { readonly step: 'cancel' }
  | { readonly step: 'call' }
  | { readonly step: 'look_up' };

const waitUntil = (until: Instant): CallStep => ({ step: 'wait', until });
const CANCEL: CallStep = { step: 'cancel' };
const CALL: CallStep = { step: 'call' };
const LOOK_UP: CallStep = { step: 'look_up' };

/** One key and one body. An unknown outcome is looked up, and the call repeated only after a definite none (D47). */
export function nextStep({ calledAt, isConfirmed }: OutboundCall, facts: CallFacts, now: Instant): CallStep {
  const { wanted, deniedUntil, isConfigured, isNotFound, callTimeout, callEndsIn, pollEvery } = facts;
  if (calledAt === null && wanted === 'no') return CANCEL;
  if (deniedUntil !== undefined) return waitUntil(deniedUntil);
  if (calledAt === null) {
    if (wanted === 'later') return waitUntil(now + pollEvery);
    return isConfigured ? CALL : waitUntil(now + RETRY_UNCONFIGURED);
  }
  // Until then the call may still be under way, even in another process, or if its answer was lost here.
  const callEndsBy = calledAt > now ? now + callEndsIn : calledAt + 2 * callTimeout;
  if (!isConfirmed && now < callEndsBy) return waitUntil(callEndsBy);
  if (wanted === 'later') return waitUntil(now + pollEvery);
  if (!isNotFound) return LOOK_UP;
  if (wanted === 'no') return CANCEL;
  return isConfirmed ? waitUntil(now + pollEvery) : CALL;
}
