import type { Duration, Effect, Instant } from '#kernel';
import type { ScanEvent } from './scan.events.js';
import {
  type DispatchedScan,
  isDispatched,
  type PendingScan,
  recordJob,
  recordOutcomeUnknown,
  rejectScan,
  type Scan,
} from './scan.js';
import type { ScanJob } from './scan-job.js';

/** `settle_outcome`: only a lookup by the scan's own id shows what the engine has (D47). */
export type ScanEngineStep = 'follow_job' | 'settle_outcome';

/** The next step at the engine of a scan whose dispatch has been recorded. */
export function nextScanEngineStep(scan: DispatchedScan): ScanEngineStep {
  switch (scan.status) {
    case 'dispatching':
      return scan.jobId === null ? 'settle_outcome' : 'follow_job';
    case 'running':
      return 'follow_job';
    case 'uncertain':
      return 'settle_outcome';
  }
}

/** Until then, the call that dispatched the scan may still be running, even if its answer was lost here. */
export const dispatchSettledBy = (scan: PendingScan, providerTimeout: Duration): Instant =>
  isDispatched(scan) && scan.jobId === null ? scan.dispatchedAt + 2 * providerTimeout : 0;

export function recordDispatch(scan: Scan, effect: Effect<ScanJob>, now: Instant): ScanEvent[] {
  switch (effect.outcome) {
    case 'done':
      return recordJob(scan, effect.value, now);
    case 'refused':
      return rejectScan(scan, effect.code, now);
    case 'unknown':
      return recordOutcomeUnknown(scan, now);
  }
}

/** `job`: undefined if the engine has none. */
export const recordLookup = (scan: Scan, job: ScanJob | undefined, now: Instant): ScanEvent[] =>
  job === undefined ? recordOutcomeUnknown(scan, now) : recordJob(scan, job, now);
