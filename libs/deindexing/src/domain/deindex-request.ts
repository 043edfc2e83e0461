import {
  type CaseId,
  DAY,
  type Decider,
  DomainError,
  type Duration,
  type Instant,
  OUTCOME_TIMEOUT,
  type OutboundCall,
  SECOND,
  unknownEvent,
} from '#kernel';
import type {
  DeindexOutcome,
  DeindexRequestEvent,
  DeindexSubmission,
  RequestDetails,
} from './deindex-request.events.js';

type DeindexStatus =
  | 'queued'
  | 'dispatching'
  | 'uncertain'
  | 'submitted'
  | 'completed'
  | 'rejected'
  | 'failed'
  | 'cancelled';

export type DeindexCancellation = 'membership_ended' | 'personal_data_erased';

/** `recordedAt`: null until the provider is known to have a record. */
export interface KnownDeindexRequest extends RequestDetails, DeindexOutcome {
  readonly status: DeindexStatus;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly dispatchedAt: Instant | null;
  readonly uncertainSince: Instant | null;
}

export type DispatchedRequest = KnownDeindexRequest & { readonly dispatchedAt: Instant };

export type DeindexRequest = { readonly status: 'unknown' } | KnownDeindexRequest;

const STATUS_AFTER = {
  'deindexRequest.accepted.v1': 'queued',
  'deindexRequest.submitted.v1': 'submitted',
  'deindexRequest.completed.v1': 'completed',
  'deindexRequest.rejected.v1': 'rejected',
  'deindexRequest.failed.v1': 'failed',
  'deindexRequest.cancelled.v1': 'cancelled',
} as const;

export const deindexRequestDecider: Decider<DeindexRequest, DeindexRequestEvent> = {
  category: 'deindexRequest',
  initial: { status: 'unknown' },
  evolve: (state, event, at) => {
    if (event.type === 'deindexRequest.requested.v1') {
      const { personal, ...details } = event.data;
      const outcome = { submittedToProvider: false, removalVerified: false, errorCode: null, recordedAt: null };
      const times = { createdAt: at, updatedAt: at, dispatchedAt: null, uncertainSince: null };
      return { ...details, ...personal, ...outcome, ...times, status: 'queued' };
    }
    if (state.status === 'unknown') return state;
    const known = { ...state, updatedAt: at };
    switch (event.type) {
      case 'deindexRequest.dispatchStarted.v1':
        return { ...known, status: 'dispatching', dispatchedAt: at };
      case 'deindexRequest.outcomeLost.v1':
        return { ...known, status: 'uncertain', uncertainSince: at };
      case 'deindexRequest.accepted.v1':
      case 'deindexRequest.submitted.v1':
      case 'deindexRequest.completed.v1':
      case 'deindexRequest.rejected.v1':
      case 'deindexRequest.failed.v1':
      case 'deindexRequest.cancelled.v1': {
        const outcome = { ...outcomeOf(event.data), errorCode: event.data.errorCode };
        return { ...known, ...outcome, status: STATUS_AFTER[event.type], uncertainSince: null };
      }
      default:
        return unknownEvent(event, state);
    }
  },
};

/** A completed removal is final only when it is verified. */
export const isFinished = (request: DeindexRequest): boolean =>
  request.status === 'rejected' ||
  request.status === 'failed' ||
  request.status === 'cancelled' ||
  (request.status === 'completed' && request.removalVerified);

export const isOpen = (request: DeindexRequest): request is KnownDeindexRequest =>
  request.status !== 'unknown' && !isFinished(request);

export const isUnderWay = (request: DeindexRequest): request is DispatchedRequest =>
  request.status !== 'unknown' && request.dispatchedAt !== null && !isFinished(request);

export const outboundCallOf = (request: DeindexRequest): OutboundCall | undefined =>
  isOpen(request) ? { calledAt: request.dispatchedAt, isConfirmed: request.recordedAt !== null } : undefined;

export function requestDeindex(state: DeindexRequest, details: RequestDetails): DeindexRequestEvent[] {
  if (state.status === 'unknown') {
    const { url, ...rest } = details;
    return [{ type: 'deindexRequest.requested.v1', data: { ...rest, personal: { url } } }];
  }
  assertSameCase(state, details.caseId);
  return [];
}

/** D45: a key names one request, so it cannot be used for another case. */
export function assertSameCase(state: KnownDeindexRequest, caseId: CaseId): void {
  if (state.caseId !== caseId) throw new DomainError('idempotency_conflict');
}

const isWaiting = (state: DeindexRequest): state is KnownDeindexRequest =>
  state.status !== 'unknown' && state.dispatchedAt === null && !isFinished(state);

/** The creator has left. A waiting request is cancelled; a dispatched one follows the provider's answer (D51). */
export function cancelDeindex(state: DeindexRequest, errorCode: DeindexCancellation): DeindexRequestEvent[] {
  if (!isWaiting(state)) return [];
  return [{ type: 'deindexRequest.cancelled.v1', data: { ...ids(state), ...outcomeOf(state), errorCode } }];
}

export function dispatchDeindex(state: DeindexRequest): DeindexRequestEvent[] {
  if (!isWaiting(state)) return [];
  return [{ type: 'deindexRequest.dispatchStarted.v1', data: ids(state) }];
}

const EVENT_TYPE_OF = {
  queued: 'deindexRequest.accepted.v1',
  submitted: 'deindexRequest.submitted.v1',
  removed: 'deindexRequest.completed.v1',
  rejected: 'deindexRequest.rejected.v1',
  failed: 'deindexRequest.failed.v1',
} as const;

export function observeSubmission(state: DeindexRequest, submission: DeindexSubmission): DeindexRequestEvent[] {
  if (!isUnderWay(state) || isOutdated(state, submission)) return [];
  const { submittedToProvider, removalVerified, errorCode, updatedAt } = submission;
  const type = EVENT_TYPE_OF[submission.status];
  const isKnown =
    state.status === STATUS_AFTER[type] &&
    state.submittedToProvider === submittedToProvider &&
    state.removalVerified === removalVerified &&
    state.errorCode === errorCode;
  if (isKnown) return [];
  const outcome = { submittedToProvider, removalVerified, errorCode, recordedAt: updatedAt };
  return [{ type, data: { ...ids(state), ...outcome } }];
}

/** The slower of two concurrent lookups must not undo what the faster one has recorded. */
const isOutdated = ({ status, recordedAt }: KnownDeindexRequest, { updatedAt }: DeindexSubmission): boolean =>
  status !== 'uncertain' && recordedAt !== null && updatedAt < recordedAt;

export function rejectDeindex(state: DeindexRequest, code: string): DeindexRequestEvent[] {
  if (!isUnderWay(state) || state.recordedAt !== null) return [];
  const errorCode = code === 'not_deindexable' ? code : 'provider_rejected';
  return [{ type: 'deindexRequest.rejected.v1', data: { ...ids(state), ...outcomeOf(state), errorCode } }];
}

/** Its task was set aside: a request that was never sent fails; any other is uncertain for 72 hours first (D87). */
export function endDeadLetterDeindex(state: DeindexRequest, now: Instant): DeindexRequestEvent[] {
  if (!isWaiting(state)) return recordOutcomeUnknown(state, now);
  const outcome = { ...outcomeOf(state), errorCode: 'outcome_unknown' };
  return [{ type: 'deindexRequest.failed.v1', data: { ...ids(state), ...outcome } }];
}

/** The outcome is unknown. After 72 hours the request fails (D47); a completed removal stays completed. */
export function recordOutcomeUnknown(state: DeindexRequest, now: Instant): DeindexRequestEvent[] {
  if (!isUnderWay(state) || state.status === 'completed') return [];
  if (state.status !== 'uncertain') return [{ type: 'deindexRequest.outcomeLost.v1', data: ids(state) }];
  if (now - (state.uncertainSince ?? now) < OUTCOME_TIMEOUT) return [];
  const outcome = { ...outcomeOf(state), errorCode: 'outcome_unknown' };
  return [{ type: 'deindexRequest.failed.v1', data: { ...ids(state), ...outcome } }];
}

const ids = ({ requestId, caseId, creatorId }: RequestDetails) => ({ requestId, caseId, creatorId });

/** D51: the flags come only from the provider. */
const outcomeOf = ({ submittedToProvider, removalVerified, recordedAt }: DeindexOutcome) => ({
  submittedToProvider,
  removalVerified,
  recordedAt,
});

const FIRST_POLL_INTERVAL: Duration = SECOND;
/** By then an uncertain request has failed (D47), and most others are finished. */
const OLD_AFTER: Duration = 4 * DAY;
const POLLS_IN_ITS_AGE = 24;

/** Some providers never say whether a removal is lasting; such a request is polled once a day in the end. */
export function pollInterval(age: Duration, pollEvery: Duration): Duration {
  const interval = Math.min(pollEvery, Math.max(FIRST_POLL_INTERVAL, age));
  return age < OLD_AFTER ? interval : Math.max(interval, Math.min(age / POLLS_IN_ITS_AGE, DAY));
}
