import { Controller, Get, Param } from '@nestjs/common';
import { type PublicConnection, type PublicWorkspace, publicConnection, publicWorkspace } from '#agencies';
import { type Access, Caller } from '#http';
import { DomainError } from '#kernel';
import { ScanEngine } from '#scans';
import { EXAMPLE } from './resources.examples.js';
import { answer, Operation, type OperationOptions } from './transport/operation.js';

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

const GET_CONNECTION: OperationOptions = {
  tag: 'Connection',
  summary: "The key's agency, workspace and scopes.",
  description:
    'Start here: the answer has the `workspace_id` that an enrollment needs, and the scopes of the key. Any valid key may read it; ' +
    '`workspaces` is empty for a key without `workspaces:read`.',
  apiVersion: '0.2.0',
  scopes: [],
  answers: { 200: answer('The agency, workspace and scopes of the key.', 'Connection', CONNECTION) },
};

const GET_WORKSPACE: OperationOptions = {
  tag: 'Workspaces',
  summary: 'The workspace of the key.',
  description: 'A key has exactly one workspace. Any other id is `not_found`.',
  apiVersion: '0.2.0',
  scopes: ['workspaces:read'],
  answers: { 200: answer('The workspace.', 'Workspace', WORKSPACE) },
  errors: ['not_found'],
  id: 'workspace',
};

@Controller('v1')
export class AgenciesController {
  constructor(private readonly engine: ScanEngine) {}

  /** D14: any valid key may use it. */
  @Get('me')
  @Operation(GET_CONNECTION)
  getConnection(@Caller() { key, agency }: Access) {
    return publicConnection(key, agency, this.engine.configured);
  }

  @Get('workspaces/:id')
  @Operation(GET_WORKSPACE)
  getWorkspace(@Caller() { key, agency }: Access, @Param('id') id: string) {
    if (id !== key.workspaceId) throw new DomainError('not_found');
    return publicWorkspace(agency);
  }
}
