import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ObserveScan, publicScan, QueueScan } from '#scans';
import { type Access, Caller } from '../transport/access/access.js';
import { Operation } from '../transport/operation.js';
import { idParam } from '../validation/id-param.js';
import { IdempotencyKey } from '../validation/idempotency-key.js';
import { EmptyBody } from '../validation/page.query.js';

@Controller('v1')
export class ScansController {
  constructor(private readonly commands: CommandBus) {}

  @Post('creators/:id/scans')
  @Operation({
    summary: 'Queues a scan of a creator whose protection is active.',
    reference: '0.2.0',
    scopes: ['scans:write'],
    answers: { 200: 'Scan', 202: 'Scan' },
    errors: [
      'not_found',
      'creator_rebinding_required',
      'creator_not_eligible',
      'svc_engine_not_configured',
      'scan_in_progress',
      'scan_limit_reached',
      'idempotency_conflict',
    ],
    id: 'crt',
    needsIdempotencyKey: true,
    hasBody: true,
    examples: { 'a scan': {} },
  })
  async queue(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string,
    @Body() _body: EmptyBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const command = new QueueScan(idParam('creator', id), scope, idempotencyKey, context);
    const { scan, isNew } = await this.commands.execute(command);
    reply.status(isNew ? 202 : 200);
    if (isNew) reply.header('location', `/v1/scans/${scan.scanId}`);
    return publicScan(scan);
  }

  @Get('scans/:id')
  @Operation({
    summary: "A scan's progress.",
    reference: '0.2.0',
    scopes: ['scans:read'],
    answers: { 200: 'Scan' },
    errors: ['not_found'],
    id: 'scn',
  })
  async scan(@Caller() { scope, context }: Access, @Param('id') id: string) {
    return publicScan(await this.commands.execute(new ObserveScan(idParam('scan', id), scope, context)));
  }
}
