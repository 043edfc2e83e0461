import type { Duration, Instant } from '#kernel';
import type { DispatchedScan } from './scan.js';

/** `settle_outcome`: only a look-up by the scan's own id shows what the engine has (D47). */
export type ScanEngineStep = 'follow_job' | 'settle_outcome';

/** What to do next at the engine with a scan whose dispatch has been recorded. */
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
export const dispatchSettledBy = ({ jobId, dispatchedAt }: DispatchedScan, providerTimeout: Duration): Instant =>
  jobId === null ? dispatchedAt + 2 * providerTimeout : 0;
