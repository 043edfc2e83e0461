import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetScan, type KnownScan, publicScan, type Queued, QueueScan } from '#scans';
import { type Access, Caller, RequireScopes } from '../access.js';
import { idParam } from '../id-param.js';
import { IdempotencyKey } from '../idempotency-key.js';
import { EmptyBody, NoQuery } from '../validation/page.query.js';

@Controller('v1')
export class ScansController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('creators/:id/scans')
  @RequireScopes('scans:write')
  async queue(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body() _body: EmptyBody,
    @Query() _query: NoQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const command = new QueueScan(idParam('creator', id), scope, idempotencyKey, context);
    const { scan, isNew } = await this.commands.execute<QueueScan, Queued>(command);
    reply.status(isNew ? 202 : 200);
    return publicScan(scan);
  }

  @Get('scans/:id')
  @RequireScopes('scans:read')
  async scan(@Caller() { scope, context }: Access, @Param('id') id: string, @Query() _query: NoQuery) {
    return publicScan(await this.queries.execute<GetScan, KnownScan>(new GetScan(idParam('scan', id), scope, context)));
  }
}
