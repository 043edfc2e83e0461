import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ObserveDeindexRequest, type PublicDeindexRequest, publicDeindexRequest, RequestDeindex } from '#deindexing';
import { type Access, Caller, Described, idParam, OneOf } from '#http';
import { EXAMPLE } from './resources.examples.js';
import { IdempotencyKey } from './transport/idempotency-key.js';
import { answer, Operation, type OperationOptions } from './transport/operation.js';

class RequestDeindexBody {
  @Described('The only supported provider.')
  @OneOf('search')
  provider!: 'search';
}

const { deindexRequestId, caseId, creatorId, createdAt, updatedAt } = EXAMPLE;

const QUEUED: PublicDeindexRequest = {
  id: deindexRequestId,
  case_id: caseId,
  creator_id: creatorId,
  provider: 'search',
  status: 'queued',
  simulated: false,
  submitted_to_provider: false,
  removal_verified: false,
  created_at: createdAt,
  updated_at: createdAt,
  error_code: null,
};
const SUBMITTED: PublicDeindexRequest = {
  ...QUEUED,
  status: 'submitted',
  submitted_to_provider: true,
  updated_at: updatedAt,
};

const CREATE_DEINDEX_REQUEST: OperationOptions = {
  tag: 'Deindexing',
  summary: "Requests the removal of an API scan's finding from the search index; a worker submits the request.",
  description: `Possible if the case has \`api_deindex_supported: true\`; any other case is \`native_case_managed_by_svc\`. The creator must be eligible. A
repeat under the same key answers 200 with the request as it is now.`,
  apiVersion: '0.2.0',
  scopes: ['cases:read', 'deindex:write'],
  answers: {
    200: answer('The deindex request of an earlier request with this key.', 'DeindexRequest', SUBMITTED),
    202: answer('The queued deindex request.', 'DeindexRequest', QUEUED),
  },
  errors: [
    'not_found',
    'creator_rebinding_required',
    'creator_not_eligible',
    'native_case_managed_by_svc',
    'svc_engine_not_configured',
    'idempotency_conflict',
  ],
  id: 'case',
  needsIdempotencyKey: true,
  examples: { 'the one provider': { provider: 'search' } },
};

const GET_DEINDEX_REQUEST: OperationOptions = {
  tag: 'Deindexing',
  summary: "A deindex request, after one lookup of the provider's record.",
  description: "`submitted_to_provider` and `removal_verified` are the provider's statements.",
  apiVersion: '0.2.0',
  scopes: ['cases:read'],
  answers: { 200: answer('The deindex request.', 'DeindexRequest', SUBMITTED) },
  errors: ['not_found', 'svc_engine_not_configured'],
  id: 'deindexRequest',
};

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
