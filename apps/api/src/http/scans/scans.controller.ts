import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { type Access, Caller, EmptyBody, idParam } from '#http';
import { ObserveScan, publicScan, QueueScan } from '#scans';
import { Operation } from '../transport/operation.js';
import { IdempotencyKey } from '../validation/idempotency-key.js';
import { GET_SCAN, QUEUE_SCAN } from './scans.operations.js';

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
