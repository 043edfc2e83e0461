import type { EnrolledCreator } from '#creators';
import { DAY, type Duration, type Effect, type Instant, SECOND } from '#kernel';
import type { DeindexRequestEvent } from './deindex-request.events.js';
import {
  type DeindexRequest,
  type KnownDeindexRequest,
  observeSubmission,
  recordOutcomeUnknown,
  rejectDeindex,
} from './deindex-request.js';
import type { DeindexSubmission } from './deindex-submission.js';

export type Membership = EnrolledCreator['membership']['status'];

/** `settle_outcome`: only a lookup by the request's own id shows what the provider has (D47). */
export type SearchProviderStep = 'cancel' | 'await_member' | 'dispatch' | 'follow_record' | 'settle_outcome';

/**
 * The next step at the provider of an open request. A missing creator is seen again, or its membership ends. For a
 * creator that has left nothing is submitted (D51), and a record that existed once is not created a second time.
 */
export function nextSearchProviderStep(request: KnownDeindexRequest, membership: Membership): SearchProviderStep {
  const { dispatchedAt, recordedAt } = request;
  if (membership === 'ended' || membership === 'erased') return dispatchedAt === null ? 'cancel' : 'follow_record';
  if (membership !== 'current') return 'await_member';
  if (dispatchedAt === null) return 'dispatch';
  return recordedAt === null ? 'settle_outcome' : 'follow_record';
}

/** Until then, the call that dispatched the request may still be running, even if its answer was lost here. */
export const dispatchSettledBy = (request: KnownDeindexRequest, providerTimeout: Duration): Instant =>
  request.dispatchedAt !== null && request.recordedAt === null ? request.dispatchedAt + 2 * providerTimeout : 0;

export function recordDispatch(
  request: DeindexRequest,
  effect: Effect<DeindexSubmission>,
  now: Instant,
): DeindexRequestEvent[] {
  switch (effect.outcome) {
    case 'done':
      return observeSubmission(request, effect.value);
    case 'refused':
      return rejectDeindex(request, effect.code);
    case 'unknown':
      return recordOutcomeUnknown(request, now);
  }
}

/** `submission`: undefined if the provider has none. */
export const recordLookup = (
  request: DeindexRequest,
  submission: DeindexSubmission | undefined,
  now: Instant,
): DeindexRequestEvent[] =>
  submission === undefined ? recordOutcomeUnknown(request, now) : observeSubmission(request, submission);

const FIRST_POLL_INTERVAL: Duration = SECOND;
/** By then an uncertain request has failed (D47), and most others are finished. */
const OLD_AFTER: Duration = 4 * DAY;
const POLLS_IN_ITS_AGE = 24;

/**
 * The older a request is, the longer the interval. Some providers never say whether a removal holds; such a request
 * is polled once a day in the end.
 */
export function pollInterval(age: Duration, pollEvery: Duration): Duration {
  const interval = Math.min(pollEvery, Math.max(FIRST_POLL_INTERVAL, age));
  return age < OLD_AFTER ? interval : Math.max(interval, Math.min(age / POLLS_IN_ITS_AGE, DAY));
}
