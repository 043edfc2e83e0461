import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { type Access, Caller, EmptyBody, idParam } from '#http';
import { ObserveScan, type PublicScan, publicScan, QueueScan } from '#scans';
import { EXAMPLE } from './resources.examples.js';
import { IdempotencyKey } from './transport/idempotency-key.js';
import { answer, Operation, type OperationOptions } from './transport/operation.js';

const { scanId, creatorId, jobId, createdAt, updatedAt } = EXAMPLE;

const QUEUED: PublicScan = {
  id: scanId,
  creator_id: creatorId,
  status: 'queued',
  source: 'manual',
  created_at: createdAt,
  finished_at: null,
  error_code: null,
  svc_job_id: null,
  simulated: false,
};
const COMPLETED: PublicScan = { ...QUEUED, status: 'completed', finished_at: updatedAt, svc_job_id: jobId };

const QUEUE_SCAN: OperationOptions = {
  tag: 'Scans',
  summary: 'Queues a scan of a creator whose protection is active.',
  description: `Answers before the scan runs; read the scan, or wait for \`scan.completed\` or \`scan.failed\`. A creator may have one pending scan at a time, and
five manual scans in 24 hours. A repeat under the same key answers 200 with the scan as it is now. The body is \`{}\`.`,
  apiVersion: '0.2.0',
  scopes: ['scans:write'],
  answers: {
    200: answer('The scan of an earlier request with this key.', 'Scan', COMPLETED),
    202: answer('The queued scan.', 'Scan', QUEUED),
  },
  errors: [
    'not_found',
    'creator_rebinding_required',
    'creator_not_eligible',
    'svc_engine_not_configured',
    'scan_in_progress',
    'scan_limit_reached',
    'idempotency_conflict',
  ],
  id: 'creator',
  needsIdempotencyKey: true,
  examples: { 'a scan': {} },
};

const GET_SCAN: OperationOptions = {
  tag: 'Scans',
  summary: "A scan's progress.",
  description:
    'In `dispatching` and `uncertain` the service finds out what the engine did; wait, and do not queue another scan instead.',
  apiVersion: '0.2.0',
  scopes: ['scans:read'],
  answers: { 200: answer('The scan.', 'Scan', COMPLETED) },
  errors: ['not_found'],
  id: 'scan',
};

@Controller('v1')
export class ScansController {
  constructor(private readonly commands: CommandBus) {}

  @Post('creators/:id/scans')
  @Operation(QUEUE_SCAN)
  async queueScan(
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
  @Operation(GET_SCAN)
  async getScan(@Caller() { scope, context }: Access, @Param('id') id: string) {
    return publicScan(await this.commands.execute(new ObserveScan(idParam('scan', id), scope, context)));
  }
}
