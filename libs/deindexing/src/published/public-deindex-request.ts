import type { Instant } from '#kernel';
import type { KnownDeindexRequest } from '../domain/deindex-request.js';

export interface PublicDeindexRequest {
  readonly id: string;
  readonly case_id: string;
  readonly creator_id: string;
  readonly provider: 'search';
  readonly status: KnownDeindexRequest['status'];
  readonly simulated: false;
  readonly submitted_to_provider: boolean;
  readonly removal_verified: boolean;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly error_code: string | null;
}

export const publicDeindexRequest = (request: KnownDeindexRequest): PublicDeindexRequest => ({
  id: request.requestId,
  case_id: request.caseId,
  creator_id: request.creatorId,
  provider: 'search',
  status: request.status,
  simulated: false,
  submitted_to_provider: request.submittedToProvider,
  removal_verified: request.removalVerified,
  created_at: request.createdAt,
  updated_at: request.updatedAt,
  error_code: request.errorCode,
});
