import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { caseReport } from '#cases';
import { type Access, Caller, requireReadable } from '#http';
import { Clock, type Instant } from '#kernel';
import { Operation } from '../transport/operation.js';
import { CasePages } from './case-pages.js';
import { GET_REPORT } from './cases.operations.js';
import { DEFAULT_REPORT_PAGE_SIZE, ReportQuery } from './report.query.js';

@Controller('v1/creators/:id/report')
export class ReportController {
  constructor(
    private readonly pages: CasePages,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation(GET_REPORT)
  async getReport(
    @Caller() access: Access,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_REPORT_PAGE_SIZE, after }: ReportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { cases, nextCursor } = await this.pages.read(id, access, limit, after);
    requireReadable(cases, access.context.correlationId);
    // Not by decorators, because those would set the headers for errors too.
    reply.header('content-type', 'text/csv; charset=utf-8');
    reply.header('content-disposition', `attachment; filename="${fileName(id, this.clock.now())}"`);
    if (nextCursor !== null) reply.header('x-next-cursor', nextCursor);
    return caseReport(cases);
  }
}

/** `id` is the well-formed id of a creator, and needs no escapes. */
const fileName = (id: string, now: Instant): string => `cases-${id}-${new Date(now).toISOString().slice(0, 10)}.csv`;
