import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { type Access, Caller, cursorParam, DEFAULT_PAGE_SIZE, idParam, PageQuery } from '#http';
import {
  ListImpersonations,
  publicImpersonation,
  ReportImpersonation,
  SynchronizeImpersonations,
} from '#impersonations';
import { parseId } from '#kernel';
import { Operation } from '../transport/operation.js';
import { IdempotencyKey } from '../validation/idempotency-key.js';
import { ReportImpersonationBody } from './impersonations.dto.js';
import { LIST_IMPERSONATIONS, REPORT_IMPERSONATION } from './impersonations.operations.js';

@Controller('v1/creators/:id/impersonations')
export class ImpersonationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation(LIST_IMPERSONATIONS)
  async listImpersonations(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery,
  ) {
    const page = { limit, ...cursorParam(after, (text) => parseId('impersonation', text)) };
    const creatorId = idParam('creator', id);
    await this.commands.execute(new SynchronizeImpersonations(creatorId, scope, page.after, context));
    const { rows, nextCursor } = await this.queries.execute(new ListImpersonations(scope.workspaceId, creatorId, page));
    return { data: rows.map(publicImpersonation), next_cursor: nextCursor, simulated: false };
  }

  @Post()
  @Operation(REPORT_IMPERSONATION)
  async reportImpersonation(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body() { url }: ReportImpersonationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const command = new ReportImpersonation(idParam('creator', id), url, scope, idempotencyKey, context);
    const { impersonation, isNew } = await this.commands.execute(command);
    reply.status(isNew ? 201 : 200);
    // A single impersonation has no URL, so this is the list's (D73).
    if (isNew) reply.header('location', `/v1/creators/${id}/impersonations`);
    return publicImpersonation(impersonation);
  }
}
