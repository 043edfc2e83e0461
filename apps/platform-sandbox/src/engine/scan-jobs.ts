import type { ScanJob } from '../contract/types.js';
import { bodyOf, type Operation, ok } from '../operation.js';
import { creatorOf } from '../platform/membership.js';
import { found, unprocessable } from '../refusal.js';
import type { ScanJobRecord } from '../state/records.js';

type DispatchBody = Pick<ScanJobRecord, 'reference' | 'agency_id' | 'user_id' | 'handles'>;

export const dispatchScan: Operation = (world, call) => {
  const { reference, agency_id, user_id, handles } = bodyOf<DispatchBody>(call);
  creatorOf(world, agency_id, user_id);
  if (handles.length === 0) throw unprocessable('nothing_to_scan', 'No handles were given.');
  const job = world.jobs.put({
    job_id: world.newId('job'),
    reference,
    status: 'queued',
    error_code: null,
    finished_at: null,
    agency_id,
    user_id,
    handles,
    auto: world.settings.scan_auto,
    created_at: world.now(),
    duration_ms: world.settings.scan_duration_ms,
  });
  world.countEffect('scan_jobs', reference);
  return { status: 202, body: showJob(job) };
};

export const findScanJob: Operation = (world, { query }) => {
  const job = world.jobs.byAlias(String(query.reference));
  return ok({ data: job ? [showJob(job)] : [] });
};

export const getScanJob: Operation = (world, { recordId }) => ok(showJob(found(world.jobs.get(recordId), 'scan job')));

function showJob({ job_id, reference, status, error_code, finished_at }: ScanJobRecord): ScanJob {
  return { job_id, reference, status, error_code, finished_at };
}
