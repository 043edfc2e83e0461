import type { EnrolledCreator } from '#creators';
import type { Duration, Effect, Instant } from '#kernel';
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

/** `look_up_only`: for a creator that has left, nothing is submitted (D51). */
export type SearchProviderStep = 'await_member' | 'submit' | 'look_up' | 'look_up_only';

export const hasEnded = (membership: Membership): boolean => membership === 'ended' || membership === 'erased';

/** The next step of an open request at the search provider. A missing creator is seen again, or its membership ends. */
export function nextSearchProviderStep(request: KnownDeindexRequest, membership: Membership): SearchProviderStep {
  if (hasEnded(membership)) return 'look_up_only';
  if (membership !== 'current') return 'await_member';
  return request.dispatchedAt === null ? 'submit' : 'look_up';
}

/** Until then, a call that was started may still be running, even if its answer was lost here. */
export const callSettledBy = (
  { status, dispatchedAt, recordedAt }: KnownDeindexRequest,
  providerTimeout: Duration,
): Instant => {
  const isOpen = status === 'dispatching' || (status === 'uncertain' && recordedAt === null);
  return isOpen && dispatchedAt !== null ? dispatchedAt + 2 * providerTimeout : 0;
};

export function recordSubmission(
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

/** `submission`: undefined if the provider has no record. */
export const recordLookup = (
  request: DeindexRequest,
  submission: DeindexSubmission | undefined,
  now: Instant,
): DeindexRequestEvent[] =>
  submission === undefined ? recordOutcomeUnknown(request, now) : observeSubmission(request, submission);
