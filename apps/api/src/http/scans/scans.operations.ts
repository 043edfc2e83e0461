import type { PublicScan } from '#scans';
import { EXAMPLE } from '../transport/example-values.js';
import type { OperationOptions } from '../transport/operation.js';

const { scanId, creatorId, jobId, createdAt, updatedAt } = EXAMPLE;

const QUEUED: PublicScan = {
  id: scanId,
  creator_id: creatorId,
  status: 'queued',
  source: 'manual',
  created_at: createdAt,
  finished_at: null,
  error_code: null,
  svc_job_id: null,
  simulated: false,
};
const COMPLETED: PublicScan = { ...QUEUED, status: 'completed', finished_at: updatedAt, svc_job_id: jobId };

export const QUEUE_SCAN: OperationOptions = {
  tag: 'Scans',
  summary: 'Queues a scan of a creator whose protection is active.',
  description: `Answers before the scan runs; read the scan, or wait for \`scan.completed\` or \`scan.failed\`. A creator has one pending scan at a time, and
five manual ones in 24 hours. A repeat under the same key answers 200 with the scan as it is now. The body is \`{}\`.`,
  apiVersion: '0.2.0',
  scopes: ['scans:write'],
  answers: {
    200: { description: 'The scan of an earlier request with this key.', schema: 'Scan', example: COMPLETED },
    202: { description: 'The queued scan.', schema: 'Scan', example: QUEUED },
  },
  errors: [
    'not_found',
    'creator_rebinding_required',
    'creator_not_eligible',
    'svc_engine_not_configured',
    'scan_in_progress',
    'scan_limit_reached',
    'idempotency_conflict',
  ],
  id: 'creator',
  needsIdempotencyKey: true,
  examples: { 'a scan': {} },
};

export const GET_SCAN: OperationOptions = {
  tag: 'Scans',
  summary: "A scan's progress.",
  description:
    'In `dispatching` and `uncertain` the service finds out what the engine did; wait, and queue no other scan in its place.',
  apiVersion: '0.2.0',
  scopes: ['scans:read'],
  answers: { 200: { description: 'The scan.', schema: 'Scan', example: COMPLETED } },
  errors: ['not_found'],
  id: 'scan',
};
