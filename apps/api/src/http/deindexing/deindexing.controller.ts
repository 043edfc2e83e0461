import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ObserveDeindexRequest, publicDeindexRequest, RequestDeindex } from '#deindexing';
import { type Access, Caller, idParam } from '#http';
import { Operation } from '../transport/operation.js';
import { IdempotencyKey } from '../validation/idempotency-key.js';
import { RequestDeindexBody } from './deindexing.dto.js';
import { CREATE_DEINDEX_REQUEST, GET_DEINDEX_REQUEST } from './deindexing.operations.js';

@Controller('v1')
export class DeindexingController {
  constructor(private readonly commands: CommandBus) {}

  @Post('cases/:id/deindex-requests')
  @Operation(CREATE_DEINDEX_REQUEST)
  async createDeindexRequest(
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
  @Operation(GET_DEINDEX_REQUEST)
  async getDeindexRequest(@Caller() { scope, context }: Access, @Param('id') id: string) {
    const command = new ObserveDeindexRequest(idParam('deindexRequest', id), scope, context);
    return publicDeindexRequest(await this.commands.execute(command));
  }
}
