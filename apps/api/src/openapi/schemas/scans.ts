import { described, idOf, instant, type JsonSchema, knownOf, live, objectOf, oneOf, orNull, text } from '#http';
import type { PublicScan } from '#scans';

/** D48: engines have their own codes in addition to these. */
const ERROR_CODES = [
  'engine_rejected',
  'nothing_to_scan',
  'outcome_unknown',
  'protection_paused',
  'personal_data_erased',
];

/** The reason of a failure, also in `scan.failed`. */
export const scanErrorCode = knownOf(
  ERROR_CODES,
  'Why the scan failed or was cancelled; engines have their own codes too.',
);

export const SCAN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Scan: objectOf<PublicScan>({
    id: idOf('scan'),
    creator_id: idOf('creator'),
    status: described(
      oneOf('queued', 'dispatching', 'running', 'uncertain', 'completed', 'failed', 'cancelled'),
      'In `dispatching` and `uncertain` the service finds out what the engine did; do not replace the scan by another.',
    ),
    source: oneOf('manual', 'scheduled'),
    created_at: instant,
    finished_at: described(orNull(instant), 'Unix epoch milliseconds; null while the scan is pending.'),
    error_code: orNull(scanErrorCode),
    svc_job_id: described(orNull(text), "The engine's id of the work."),
    simulated: live,
  }),
};
