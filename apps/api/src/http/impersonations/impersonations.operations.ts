import type { PublicImpersonation } from '#impersonations';
import { EXAMPLE } from '../transport/example-values.js';
import type { OperationOptions } from '../transport/operation.js';

const { impersonationId, creatorId, createdAt } = EXAMPLE;

export const IMPERSONATION: PublicImpersonation = {
  id: impersonationId,
  creator_id: creatorId,
  platform: 'instagram',
  url: 'https://www.instagram.com/not_ivy_calloway',
  username: 'not_ivy_calloway',
  status: 'reported',
  created_at: createdAt,
  updated_at: createdAt,
  available: true,
  simulated: false,
};

export const LIST_IMPERSONATIONS: OperationOptions = {
  tag: 'Impersonations',
  summary: "The creator's impersonations, synchronized with the platform's records.",
  description: 'Ordered by id. Those that the platform does not list any more stay, with `available: false`.',
  apiVersion: '0.8.0',
  scopes: ['cases:read'],
  answers: {
    200: {
      description: 'A page of impersonations.',
      schema: 'ImpersonationPage',
      example: { data: [IMPERSONATION], next_cursor: null, simulated: false },
    },
  },
  errors: ['not_found'],
  id: 'creator',
};

export const REPORT_IMPERSONATION: OperationOptions = {
  tag: 'Impersonations',
  summary: 'Reports an account that impersonates the creator.',
  description: `The URL has to be one that the platform supports; another one is 400. A repeat under the same key answers 200. After a 504 it is open
whether the report arrived; repeat it under the same key.`,
  apiVersion: '0.8.0',
  scopes: ['cases:read', 'deindex:write'],
  answers: {
    200: {
      description: 'The impersonation of an earlier report with this key.',
      schema: 'Impersonation',
      example: IMPERSONATION,
    },
    201: { description: 'The reported impersonation.', schema: 'Impersonation', example: IMPERSONATION },
  },
  errors: ['not_found', 'creator_rebinding_required', 'creator_invitation_pending', 'idempotency_conflict'],
  id: 'creator',
  needsIdempotencyKey: true,
  examples: { 'an account': { url: 'https://www.instagram.com/not_ivy_calloway' } },
};
