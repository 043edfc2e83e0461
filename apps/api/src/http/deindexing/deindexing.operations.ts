import type { PublicDeindexRequest } from '#deindexing';
import { EXAMPLE } from '../transport/example-values.js';
import type { OperationOptions } from '../transport/operation.js';

const { deindexRequestId, caseId, creatorId, createdAt, updatedAt } = EXAMPLE;

const QUEUED: PublicDeindexRequest = {
  id: deindexRequestId,
  case_id: caseId,
  creator_id: creatorId,
  provider: 'search',
  status: 'queued',
  simulated: false,
  submitted_to_provider: false,
  removal_verified: false,
  created_at: createdAt,
  updated_at: createdAt,
  error_code: null,
};
const SUBMITTED: PublicDeindexRequest = {
  ...QUEUED,
  status: 'submitted',
  submitted_to_provider: true,
  updated_at: updatedAt,
};

export const CREATE_DEINDEX_REQUEST: OperationOptions = {
  tag: 'Deindexing',
  summary: 'Requests that a finding of an API scan is removed from the search index; a worker submits the request.',
  description: `Possible where \`api_deindex_supported\` of the case is true; another case is \`native_case_managed_by_svc\`. The creator has to be eligible. A
repeat under the same key answers 200 with the request as it is now.`,
  apiVersion: '0.2.0',
  scopes: ['cases:read', 'deindex:write'],
  answers: {
    200: {
      description: 'The deindex request of an earlier request with this key.',
      schema: 'DeindexRequest',
      example: SUBMITTED,
    },
    202: { description: 'The queued deindex request.', schema: 'DeindexRequest', example: QUEUED },
  },
  errors: [
    'not_found',
    'creator_rebinding_required',
    'creator_not_eligible',
    'native_case_managed_by_svc',
    'svc_engine_not_configured',
    'idempotency_conflict',
  ],
  id: 'case',
  needsIdempotencyKey: true,
  examples: { 'the one provider': { provider: 'search' } },
};

export const GET_DEINDEX_REQUEST: OperationOptions = {
  tag: 'Deindexing',
  summary: "A deindex request, after one lookup of the provider's record.",
  description: '`submitted_to_provider` and `removal_verified` say what the provider says.',
  apiVersion: '0.2.0',
  scopes: ['cases:read'],
  answers: { 200: { description: 'The deindex request.', schema: 'DeindexRequest', example: SUBMITTED } },
  errors: ['not_found', 'svc_engine_not_configured'],
  id: 'deindexRequest',
};
