import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ObserveDeindexRequest, publicDeindexRequest, RequestDeindex } from '#deindexing';
import { type Access, Caller } from '../transport/access/access.js';
import { Operation } from '../transport/operation.js';
import { idParam } from '../validation/id-param.js';
import { IdempotencyKey } from '../validation/idempotency-key.js';
import { RequestDeindexBody } from './deindexing.dto.js';

@Controller('v1')
export class DeindexingController {
  constructor(private readonly commands: CommandBus) {}

  @Post('cases/:id/deindex-requests')
  @Operation({
    summary: 'Requests that a finding of an API scan is removed from the search index; a worker submits the request.',
    reference: '0.2.0',
    scopes: ['cases:read', 'deindex:write'],
    answers: { 200: 'DeindexRequest', 202: 'DeindexRequest' },
    errors: [
      'not_found',
      'creator_rebinding_required',
      'creator_not_eligible',
      'native_case_managed_by_svc',
      'svc_engine_not_configured',
      'idempotency_conflict',
    ],
    id: 'cas',
    needsIdempotencyKey: true,
    hasBody: true,
    examples: { 'the one provider': { provider: 'search' } },
  })
  async requestDeindex(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body() _body: RequestDeindexBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const command = new RequestDeindex(idParam('case', id), scope, idempotencyKey, context);
    const { request, isNew } = await this.commands.execute(command);
    reply.status(isNew ? 202 : 200);
    if (isNew) reply.header('location', `/v1/deindex-requests/${request.requestId}`);
    return publicDeindexRequest(request);
  }

  @Get('deindex-requests/:id')
  @Operation({
    summary: "A deindex request, after one lookup of the provider's record.",
    reference: '0.2.0',
    scopes: ['cases:read'],
    answers: { 200: 'DeindexRequest' },
    errors: ['not_found', 'svc_engine_not_configured'],
    id: 'dix',
  })
  async deindexRequest(@Caller() { scope, context }: Access, @Param('id') id: string) {
    const command = new ObserveDeindexRequest(idParam('deindexRequest', id), scope, context);
    return publicDeindexRequest(await this.commands.execute(command));
  }
}
