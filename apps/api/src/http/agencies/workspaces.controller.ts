import { Controller, Get, Param } from '@nestjs/common';
import { publicWorkspace } from '#agencies';
import { DomainError } from '#kernel';
import { type Access, Caller } from '../transport/access/access.js';
import { Operation } from '../transport/operation.js';

@Controller('v1/workspaces')
export class WorkspacesController {
  @Get(':id')
  @Operation({
    summary: 'The workspace of the key.',
    reference: '0.2.0',
    scopes: ['workspaces:read'],
    answers: { 200: 'Workspace' },
    errors: ['not_found'],
    id: 'wsp',
  })
  workspace(@Caller() { key, agency }: Access, @Param('id') id: string) {
    if (id !== key.workspaceId) throw new DomainError('not_found');
    return publicWorkspace(agency);
  }
}
