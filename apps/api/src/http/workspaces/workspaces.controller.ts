import { Controller, Get, Param, Query } from '@nestjs/common';
import { DomainError } from '#kernel';
import { type Access, Caller, RequireScopes } from '../access.js';
import { NoQuery } from '../validation/page.query.js';
import { presentWorkspace } from './workspace.presenter.js';

@Controller('v1/workspaces')
export class WorkspacesController {
  @Get(':id')
  @RequireScopes('workspaces:read')
  workspace(@Caller() { key, agency }: Access, @Param('id') id: string, @Query() _query: NoQuery) {
    if (id !== key.workspaceId) throw new DomainError('not_found');
    return presentWorkspace(agency);
  }
}
