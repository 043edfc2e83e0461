import type { PublicConnection, PublicWorkspace } from '#agencies';
import { EXAMPLE } from '../transport/example-values.js';
import type { OperationOptions } from '../transport/operation.js';

const { workspaceId, keyId, createdAt } = EXAMPLE;

const WORKSPACE: PublicWorkspace = {
  id: workspaceId,
  external_id: 'agency_demo',
  name: 'Lumen Talent',
  created_at: createdAt,
  simulated: false,
};

const CONNECTION: PublicConnection = {
  partner: { id: 'agency_demo', name: 'Lumen Talent', kind: 'agency' },
  workspace_id: workspaceId,
  key_id: keyId,
  scopes: ['workspaces:read', 'creators:read', 'creators:write', 'events:read'],
  expires_at: null,
  environment: 'live',
  workspaces: [{ id: workspaceId, external_id: 'agency_demo', name: 'Lumen Talent' }],
  engine_configured: true,
  simulated: false,
};

export const GET_CONNECTION: OperationOptions = {
  tag: 'Connection',
  summary: 'Whom the key belongs to, and what it may.',
  description:
    'Start here: the answer has the `workspace_id` that an enrollment needs, and the scopes of the key. Any valid key may read it; ' +
    '`workspaces` is empty for a key without `workspaces:read`.',
  apiVersion: '0.2.0',
  scopes: [],
  answers: {
    200: { description: 'The agency, workspace and scopes of the key.', schema: 'Connection', example: CONNECTION },
  },
};

export const GET_WORKSPACE: OperationOptions = {
  tag: 'Workspaces',
  summary: 'The workspace of the key.',
  description: 'A key has exactly one workspace. Any other id is `not_found`.',
  apiVersion: '0.2.0',
  scopes: ['workspaces:read'],
  answers: { 200: { description: 'The workspace.', schema: 'Workspace', example: WORKSPACE } },
  errors: ['not_found'],
  id: 'workspace',
};
