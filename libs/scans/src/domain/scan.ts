import {
  type Decider,
  DomainError,
  type Duration,
  type Instant,
  OUTCOME_TIMEOUT,
  type OutboundCall,
  unknownEvent,
  type WorkspaceId,
} from '#kernel';
import type { ScanEvent, ScanHandle, ScanJob, ScanOutcome } from './scan.events.js';
import type { ScanReservation } from './scan-allowance.js';

interface Queued extends ScanReservation {
  readonly workspaceId: WorkspaceId;
  readonly createdAt: Instant;
}

interface Dispatched extends Queued {
  /** The request to the engine; a repeat sends exactly the same. */
  readonly handles: readonly ScanHandle[];
  readonly dispatchedAt: Instant;
  readonly jobId: string | null;
}

type Ended = Queued & ScanOutcome;

export type PendingScan =
  | (Queued & { readonly status: 'queued' })
  | (Dispatched & { readonly status: 'dispatching' | 'running' })
  /** `missingSince`: when a first lookup found nothing for a paused creator. */
  | (Dispatched & {
      readonly status: 'uncertain';
      readonly uncertainSince: Instant;
      readonly missingSince: Instant | null;
    });

export type DispatchedScan = Exclude<PendingScan, { status: 'queued' }>;

export type EndedScan = Ended & { readonly status: 'completed' | 'failed' | 'cancelled' };

export type KnownScan = PendingScan | EndedScan;

export type Scan = { readonly status: 'unknown' } | KnownScan;

export const scanDecider: Decider<Scan, ScanEvent> = {
  category: 'scan',
  initial: { status: 'unknown' },
  evolve: (state, event, at) => {
    if (event.type === 'scan.queued.v1') return { ...event.data, status: 'queued', createdAt: at };
    if (!isPending(state)) return state;
    switch (event.type) {
      case 'scan.dispatchStarted.v1':
        return { ...state, status: 'dispatching', handles: event.data.personal.handles, dispatchedAt: at, jobId: null };
      case 'scan.accepted.v1': {
        if (state.status === 'queued') return state;
        // D47: a running scan never goes back to dispatching.
        const status = state.status === 'running' ? 'running' : 'dispatching';
        return { ...state, status, jobId: event.data.jobId };
      }
      case 'scan.started.v1':
        return state.status === 'queued' ? state : { ...state, status: 'running', jobId: event.data.jobId };
      case 'scan.outcomeLost.v1': {
        if (state.status === 'queued') return state;
        const uncertainSince = state.status === 'uncertain' ? state.uncertainSince : at;
        return { ...state, status: 'uncertain', uncertainSince, missingSince: null };
      }
      case 'scan.jobNotFound.v1':
        return state.status === 'uncertain' ? { ...state, missingSince: at } : state;
      case 'scan.completed.v1':
      case 'scan.failed.v1':
      case 'scan.cancelled.v1':
        return end(state, event.type, event.data);
      default:
        return unknownEvent(event, state);
    }
  },
};

const END_STATUS = {
  'scan.completed.v1': 'completed',
  'scan.failed.v1': 'failed',
  'scan.cancelled.v1': 'cancelled',
} as const;

const end = (scan: PendingScan, type: keyof typeof END_STATUS, outcome: ScanOutcome): EndedScan => {
  const { scanId, creatorId, agencyId, workspaceId, source, createdAt } = scan;
  const { jobId, finishedAt, errorCode } = outcome;
  const queued = { scanId, creatorId, agencyId, workspaceId, source, createdAt };
  return { ...queued, status: END_STATUS[type], jobId, finishedAt, errorCode };
};

export const isKnown = (scan: Scan): scan is KnownScan => scan.status !== 'unknown';

/** D46: only one scan of a creator may be pending. */
export const isPending = (scan: Scan): scan is PendingScan =>
  scan.status !== 'unknown' && scan.status !== 'completed' && scan.status !== 'failed' && scan.status !== 'cancelled';

export const isDispatched = (scan: Scan): scan is DispatchedScan => isPending(scan) && scan.status !== 'queued';

export const outboundCallOf = (scan: Scan): OutboundCall | undefined => {
  if (!isPending(scan)) return undefined;
  if (!isDispatched(scan)) return { calledAt: null, isConfirmed: false };
  return { calledAt: scan.dispatchedAt, isConfirmed: scan.jobId !== null };
};

/** Queues the admitted scan; an id that belongs to another creator conflicts (D45). */
export function queueScan(scan: Scan, order: Omit<Queued, 'createdAt'>): ScanEvent[] {
  if (scan.status === 'unknown') return [{ type: 'scan.queued.v1', data: order }];
  if (scan.creatorId !== order.creatorId) throw new DomainError('idempotency_conflict');
  return [];
}

export function dispatchScan(scan: Scan, handles: readonly ScanHandle[]): ScanEvent[] {
  return scan.status === 'queued'
    ? [{ type: 'scan.dispatchStarted.v1', data: { ...ids(scan), personal: { handles } } }]
    : [];
}

/** The job as the engine shows it. A completed job ends the scan by `completeScan`, after its findings are recorded. */
export function recordJob(scan: Scan, job: ScanJob, now: Instant): ScanEvent[] {
  if (!isDispatched(scan)) return [];
  const { jobId, errorCode } = job;
  const finishedAt = job.finishedAt ?? now;
  const data = { ...ids(scan), jobId };
  switch (job.status) {
    case 'queued':
      return scan.status !== 'uncertain' && scan.jobId === jobId ? [] : [{ type: 'scan.accepted.v1', data }];
    case 'running':
    case 'completed':
      return scan.status === 'running' && scan.jobId === jobId ? [] : [{ type: 'scan.started.v1', data }];
    case 'failed':
      return [{ type: 'scan.failed.v1', data: { ...data, finishedAt, errorCode: errorCode ?? 'engine_rejected' } }];
    case 'cancelled':
      return [{ type: 'scan.cancelled.v1', data: { ...data, finishedAt, errorCode } }];
  }
}

export function completeScan(scan: Scan, job: ScanJob, now: Instant): ScanEvent[] {
  if (!isDispatched(scan)) return [];
  const data = { ...ids(scan), jobId: job.jobId, finishedAt: job.finishedAt ?? now, errorCode: null };
  return [{ type: 'scan.completed.v1', data }];
}

export function rejectScan(scan: Scan, code: string, now: Instant): ScanEvent[] {
  if (!isDispatched(scan)) return [];
  const errorCode = code === 'nothing_to_scan' ? code : 'engine_rejected';
  return [{ type: 'scan.failed.v1', data: { ...ids(scan), jobId: null, finishedAt: now, errorCode } }];
}

/** The scan's task was set aside: a scan that was never sent fails; any other is uncertain for 72 hours first (D87). */
export function endDeadLetterScan(scan: Scan, now: Instant): ScanEvent[] {
  if (scan.status !== 'queued') return recordOutcomeUnknown(scan, now);
  return [
    { type: 'scan.failed.v1', data: { ...ids(scan), jobId: null, finishedAt: now, errorCode: 'outcome_unknown' } },
  ];
}

/** The outcome of the dispatch, or of the job, is unknown. After 72 hours the scan fails (D47). */
export function recordOutcomeUnknown(scan: Scan, now: Instant): ScanEvent[] {
  if (!isDispatched(scan)) return [];
  if (scan.status !== 'uncertain') return [{ type: 'scan.outcomeLost.v1', data: ids(scan) }];
  if (now - scan.uncertainSince < OUTCOME_TIMEOUT) return [];
  const data = { ...ids(scan), jobId: scan.jobId, finishedAt: now, errorCode: 'outcome_unknown' };
  return [{ type: 'scan.failed.v1', data }];
}

/**
 * The engine has no such job, and the creator is paused. The scan is cancelled when a second lookup, at least `apart`
 * later, finds none either (D47).
 */
export function recordJobNotFound(scan: Scan, apart: Duration, now: Instant): ScanEvent[] {
  if (!isDispatched(scan)) return [];
  if (scan.status !== 'uncertain') {
    return [
      { type: 'scan.outcomeLost.v1', data: ids(scan) },
      { type: 'scan.jobNotFound.v1', data: ids(scan) },
    ];
  }
  if (scan.missingSince === null) return [{ type: 'scan.jobNotFound.v1', data: ids(scan) }];
  return now - scan.missingSince < apart ? [] : [cancelled(scan, 'protection_paused', now)];
}

export function resumeScan(scan: Scan): ScanEvent[] {
  if (scan.status !== 'uncertain' || scan.missingSince === null) return [];
  return [{ type: 'scan.outcomeLost.v1', data: ids(scan) }];
}

/** Why a scan that was not dispatched is cancelled; an erasure may have removed the data that it needs (D72). */
export type ScanCancellation = 'protection_paused' | 'personal_data_erased';

export function cancelQueuedScan(
  scan: Scan,
  now: Instant,
  errorCode: ScanCancellation = 'protection_paused',
): ScanEvent[] {
  return scan.status === 'queued' ? [cancelled(scan, errorCode, now)] : [];
}

const cancelled = (scan: PendingScan, errorCode: ScanCancellation, now: Instant): ScanEvent => ({
  type: 'scan.cancelled.v1',
  data: { ...ids(scan), jobId: scan.status === 'queued' ? null : scan.jobId, finishedAt: now, errorCode },
});

const ids = ({ scanId, creatorId }: Queued) => ({ scanId, creatorId });
