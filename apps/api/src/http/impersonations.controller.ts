import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import {
  type Access,
  asText,
  Caller,
  cursorParam,
  DEFAULT_PAGE_SIZE,
  Described,
  idParam,
  PageQuery,
  rule,
} from '#http';
import {
  impersonationUrlProblem,
  ListImpersonations,
  MAX_IMPERSONATION_URL_LENGTH,
  publicImpersonation,
  ReportImpersonation,
  SynchronizeImpersonations,
} from '#impersonations';
import { parseId } from '#kernel';
import { IMPERSONATION, pageOf } from './resources.examples.js';
import { IdempotencyKey } from './transport/idempotency-key.js';
import { answer, Operation, type OperationOptions } from './transport/operation.js';

const LIST_IMPERSONATIONS: OperationOptions = {
  tag: 'Impersonations',
  summary: "The creator's impersonations, synchronized with the platform's records.",
  description: 'Ordered by id. Impersonations that the platform no longer lists stay, with `available: false`.',
  apiVersion: '0.8.0',
  scopes: ['cases:read'],
  answers: { 200: answer('A page of impersonations.', 'ImpersonationPage', pageOf(IMPERSONATION, null)) },
  errors: ['not_found'],
  id: 'creator',
};

const REPORT_IMPERSONATION: OperationOptions = {
  tag: 'Impersonations',
  summary: 'Reports an account that impersonates the creator.',
  description: `The URL must be one that the platform supports; any other is 400. A repeat under the same key answers 200. After a 504 it is unknown
whether the report arrived; repeat it under the same key.`,
  apiVersion: '0.8.0',
  scopes: ['cases:read', 'deindex:write'],
  answers: {
    200: answer('The impersonation of an earlier report with this key.', 'Impersonation', IMPERSONATION),
    201: answer('The reported impersonation.', 'Impersonation', IMPERSONATION),
  },
  errors: ['not_found', 'creator_rebinding_required', 'creator_invitation_pending', 'idempotency_conflict'],
  id: 'creator',
  needsIdempotencyKey: true,
  examples: { 'an account': { url: 'https://www.instagram.com/not_ivy_calloway' } },
};

const ImpersonationUrl = () =>
  rule({ type: 'string', format: 'uri', maxLength: MAX_IMPERSONATION_URL_LENGTH }, asText(impersonationUrlProblem));

class ReportImpersonationBody {
  @Described('The URL of the account, on a supported platform.')
  @ImpersonationUrl()
  url!: string;
}

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
    const { items, nextCursor } = await this.queries.execute(
      new ListImpersonations(scope.workspaceId, creatorId, page),
    );
    return { data: items.map(publicImpersonation), next_cursor: nextCursor, simulated: false };
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
