import type { Readable } from 'node:stream';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CasesOptions, caseReport, ListCases, publicCase } from '#cases';
import type { CaseId, CreatorId } from '#kernel';
import { requireReadable } from '../../../api/src/http/transport/stand-ins.js';
import { DashboardReads } from '../access/dashboard-reads.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { sentCsv } from '../sent-file.js';
import { SeenCreators } from './seen-creators.js';

/** The largest texts of so many take some milliseconds. */
const CASES_PER_PAGE = 100;

/** All cases of a creator that are known, as one CSV file for a spreadsheet (D52). */
@Controller('dashboard/api/creators/:id/cases/file')
export class CaseFileController {
  constructor(
    private readonly queries: QueryBus,
    private readonly seen: SeenCreators,
    private readonly options: CasesOptions,
    private readonly reads: DashboardReads,
  ) {}

  @Get()
  @Rights('read')
  async file(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const creator = await this.seen.see(id, visit);
    const pages = this.pages(visit, creator.creatorId);
    return sentCsv(reply, `cases-${creator.creatorId}.csv`, pages);
  }

  private async *pages(visit: Visit, creatorId: CreatorId): AsyncGenerator<string> {
    const { workspaceId, context } = visit;
    const header = caseReport([]);
    yield header;
    for (let after: CaseId | undefined; ; ) {
      const list = new ListCases(workspaceId, creatorId, {
        limit: CASES_PER_PAGE,
        ...(after !== undefined && { after }),
      });
      const { records, next } = await this.reads.part(visit, async () => {
        const { rows, nextCursor } = await this.queries.execute(list);
        const cases = rows.map((row) => publicCase(row, this.options.faviconTemplate));
        requireReadable(cases, context.correlationId);
        return { records: caseReport(cases).slice(header.length), next: nextCursor };
      });
      yield records;
      if (next === null) return;
      after = next;
    }
  }
}
