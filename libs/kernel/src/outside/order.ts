import { type Duration, HOUR, type Instant, MINUTE } from '../instant.js';

/** How long an outcome may be unknown before the order is given up (D47). */
export const ORDER_TIMEOUT: Duration = 72 * HOUR;
/** D79: another worker, or this one after a restart, may have an outside system. */
export const RETRY_UNCONFIGURED: Duration = MINUTE;

/** What the log says of an order to an outside system that has not ended. */
export interface Order {
  /** When the intent of its first call was recorded; null: nothing was sent. */
  readonly calledAt: Instant | null;
  /** The outside system has shown the order. From then on it is only looked up, and never called again. */
  readonly isConfirmed: boolean;
}

/** `no`: not any more. `later`: nobody knows now. */
export type Wanted = 'yes' | 'no' | 'later';

export interface OrderFacts {
  readonly wanted: Wanted;
  /** The agency is denied, and is asked about again then (D19); undefined if it is verified. */
  readonly deniedUntil: Instant | undefined;
  readonly isConfigured: boolean;
  /** The lookup of this run has found a definite none. */
  readonly isNotFound: boolean;
  /** The longest time that one call takes. */
  readonly callTimeout: Duration;
  /** How long to wait for a call that bears a later time than the clock shows, because one of two clocks was wrong (D93). */
  readonly callEndsIn: Duration;
  readonly pollEvery: Duration;
}

export type OrderStep =
  | { readonly step: 'wait'; readonly until: Instant }
  | { readonly step: 'cancel' }
  | { readonly step: 'call' }
  | { readonly step: 'look_up' };

const waitUntil = (until: Instant): OrderStep => ({ step: 'wait', until });
const CANCEL: OrderStep = { step: 'cancel' };
const CALL: OrderStep = { step: 'call' };
const LOOK_UP: OrderStep = { step: 'look_up' };

/** One key and one body. Where the outcome is unknown it is looked up, and called again only after a definite none (D47). */
export function nextStep({ calledAt, isConfirmed }: Order, facts: OrderFacts, now: Instant): OrderStep {
  const { wanted, deniedUntil, isConfigured, isNotFound, callTimeout, callEndsIn, pollEvery } = facts;
  if (calledAt === null && wanted === 'no') return CANCEL;
  if (deniedUntil !== undefined) return waitUntil(deniedUntil);
  if (calledAt === null) {
    if (wanted === 'later') return waitUntil(now + pollEvery);
    return isConfigured ? CALL : waitUntil(now + RETRY_UNCONFIGURED);
  }
  // Until then the call may still be under way, also in another process, even if its answer was lost here.
  const callEndsBy = calledAt > now ? now + callEndsIn : calledAt + 2 * callTimeout;
  if (!isConfirmed && now < callEndsBy) return waitUntil(callEndsBy);
  if (wanted === 'later') return waitUntil(now + pollEvery);
  if (!isNotFound) return LOOK_UP;
  if (wanted === 'no') return CANCEL;
  return isConfirmed ? waitUntil(now + pollEvery) : CALL;
}
