import type { Published } from '#kernel';
import type { KnownScan } from '../domain/scan.js';

export const publicScan = (scan: KnownScan) => ({
  id: scan.scanId,
  creator_id: scan.creatorId,
  status: scan.status,
  source: scan.source,
  created_at: scan.createdAt,
  finished_at: 'finishedAt' in scan ? scan.finishedAt : null,
  error_code: 'errorCode' in scan ? scan.errorCode : null,
  svc_job_id: 'jobId' in scan ? scan.jobId : null,
  simulated: false as const,
});

export type PublicScan = Published<ReturnType<typeof publicScan>>;
