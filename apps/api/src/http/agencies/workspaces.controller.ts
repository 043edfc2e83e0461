import { Controller, Get, Param } from '@nestjs/common';
import { publicWorkspace } from '#agencies';
import { type Access, Caller } from '#http';
import { DomainError } from '#kernel';
import { Operation } from '../transport/operation.js';
import { GET_WORKSPACE } from './agencies.operations.js';

@Controller('v1/workspaces')
export class WorkspacesController {
  @Get(':id')
  @Operation(GET_WORKSPACE)
  getWorkspace(@Caller() { key, agency }: Access, @Param('id') id: string) {
    if (id !== key.workspaceId) throw new DomainError('not_found');
    return publicWorkspace(agency);
  }
}
