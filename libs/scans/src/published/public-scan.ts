import type { Instant } from '#kernel';
import type { KnownScan } from '../domain/scan.js';

export interface PublicScan {
  readonly id: string;
  readonly creator_id: string;
  readonly status: KnownScan['status'];
  readonly source: 'manual' | 'scheduled';
  readonly created_at: Instant;
  readonly finished_at: Instant | null;
  readonly error_code: string | null;
  readonly svc_job_id: string | null;
  readonly simulated: false;
}

export const publicScan = (scan: KnownScan): PublicScan => ({
  id: scan.scanId,
  creator_id: scan.creatorId,
  status: scan.status,
  source: scan.source,
  created_at: scan.createdAt,
  finished_at: 'finishedAt' in scan ? scan.finishedAt : null,
  error_code: 'errorCode' in scan ? scan.errorCode : null,
  svc_job_id: 'jobId' in scan ? scan.jobId : null,
  simulated: false,
});
