import type { Published } from '#kernel';
import type { KnownDeindexRequest } from '../domain/deindex-request.js';

export const publicDeindexRequest = (request: KnownDeindexRequest) => ({
  id: request.requestId,
  case_id: request.caseId,
  creator_id: request.creatorId,
  provider: 'search' as const,
  status: request.status,
  simulated: false as const,
  submitted_to_provider: request.submittedToProvider,
  removal_verified: request.removalVerified,
  created_at: request.createdAt,
  updated_at: request.updatedAt,
  error_code: request.errorCode,
});

export type PublicDeindexRequest = Published<ReturnType<typeof publicDeindexRequest>>;
