import type { PublicEventType } from '#event-feed';
import { CASE } from '../cases/cases.examples.js';
import { FULL_CREATOR } from '../creators/creators.examples.js';
import { IMPERSONATION } from '../impersonations/impersonations.operations.js';
import { EXAMPLE } from '../transport/example-values.js';

const creator = { creator_id: EXAMPLE.creatorId };
const scan = { ...creator, scan_id: EXAMPLE.scanId, svc_job_id: EXAMPLE.jobId };
const finding = { ...creator, case_id: CASE.id };
const shownCase = { ...finding, scan_id: EXAMPLE.scanId, status: CASE.status, case: CASE };
const impersonation = { ...creator, impersonation_id: IMPERSONATION.id };
const shownImpersonation = { ...impersonation, status: IMPERSONATION.status, impersonation: IMPERSONATION };
const protection = { ...creator, scope: 'api_scan_schedule', reason: 'api_request' };

const DATA: Readonly<Record<PublicEventType, object>> = {
  'protection.activated': { ...protection, status: 'active' },
  'protection.paused': { ...protection, status: 'paused' },
  'scan.completed': scan,
  'scan.failed': { ...scan, status: 'failed', reason: 'engine_rejected' },
  'creator.updated': { ...creator, creator: FULL_CREATOR },
  'case.created': shownCase,
  'case.updated': shownCase,
  'case.deleted': finding,
  'deindex.status_changed': {
    ...finding,
    deindex_request_id: EXAMPLE.deindexRequestId,
    status: 'submitted',
    submitted_to_provider: true,
    removal_verified: false,
  },
  'impersonation.created': shownImpersonation,
  'impersonation.updated': shownImpersonation,
  'impersonation.deleted': impersonation,
};

export const exampleEvent = (type: PublicEventType) => ({
  id: EXAMPLE.eventId,
  type,
  workspace_id: EXAMPLE.workspaceId,
  created_at: EXAMPLE.updatedAt,
  simulated: false,
  data: DATA[type],
});
