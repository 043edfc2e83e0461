import { Controller, Get, Query } from '@nestjs/common';
import { ScanEngine } from '#scans';
import { Operation } from '../../openapi/operation.js';
import { type Access, Caller } from '../access.js';
import { NoQuery } from '../validation/page.query.js';
import { presentWorkspaceSummary } from '../workspaces/workspace.presenter.js';

@Controller('v1/me')
export class ConnectionController {
  constructor(private readonly engine: ScanEngine) {}

  /** D14: any valid key may use it. */
  @Get()
  @Operation({
    summary: 'Whom the key belongs to, and what it may.',
    label: '0.2.0',
    scopes: [],
    answers: { 200: 'Connection' },
  })
  connection(@Caller() { key, agency }: Access, @Query() _query: NoQuery) {
    return {
      partner: { id: key.agencyId, name: agency.native.name, kind: 'agency' },
      workspace_id: key.workspaceId,
      key_id: key.keyId,
      scopes: key.scopes,
      expires_at: key.expiresAt,
      environment: 'live',
      workspaces: key.scopes.includes('workspaces:read') ? [presentWorkspaceSummary(agency)] : [],
      engine_configured: this.engine.configured,
      simulated: false,
    };
  }
}
