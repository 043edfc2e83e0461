import type { Readable } from 'node:stream';
import { Controller, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetBinding } from '#agencies';
import { csvRecord } from '#csv';
import { UsageQuery } from '#http';
import { type CreatorId, nextPart, type WorkspaceId } from '#kernel';
import {
  ExplainCreators,
  type ExplainedCreators,
  GetUsage,
  type MeasuredUsage,
  type Month,
  parseMonth,
  shareOfAmount,
  UsageOptions,
} from '#usage';
import { DashboardReads } from '../access/dashboard-reads.js';
import { Read, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { sentCsv } from '../sent-file.js';

const CREATORS_PER_PAGE = 500;
const RECORDS_AT_A_TIME = 1_000;
const COLUMNS = ['creator_id', 'from', 'to', 'active_milliseconds', 'share_cents'];

type Interval = ExplainedCreators['creators'][number]['intervals'][number];

/** The intervals of a month as a CSV file for a spreadsheet (D52); its milliseconds add up to the month's. */
@Controller('dashboard/api/usage/file')
export class UsageFileController {
  constructor(
    private readonly queries: QueryBus,
    private readonly options: UsageOptions,
    private readonly reads: DashboardReads,
  ) {}

  @Read()
  async file(
    @Visitor() visit: Visit,
    @Query() { month: asked }: UsageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const { workspaceId } = await this.queries.execute(new GetBinding(visit.agencyId));
    const month = asked === undefined ? undefined : parseMonth(asked);
    const usage = await this.queries.execute(new GetUsage(workspaceId, month));
    const first = await this.page(workspaceId, usage);
    return sentCsv(reply, `usage-${usage.month}.csv`, this.records(visit, workspaceId, usage, first));
  }

  private async *records(
    visit: Visit,
    workspaceId: WorkspaceId,
    usage: MeasuredUsage,
    first: ExplainedCreators,
  ): AsyncGenerator<string> {
    yield csvRecord(COLUMNS);
    for (let page = first; ; ) {
      const intervals = page.creators.flatMap((creator) =>
        creator.intervals.map((interval) => ({ creator, interval })),
      );
      for (let n = 0; n < intervals.length; n += RECORDS_AT_A_TIME) {
        await nextPart();
        const some = intervals.slice(n, n + RECORDS_AT_A_TIME);
        yield some.map(({ creator, interval }) => this.recordOf(creator.creatorId, interval, usage.month)).join('');
      }
      const { next } = page;
      if (next === null) return;
      page = await this.reads.part(visit, () => this.page(workspaceId, usage, next));
    }
  }

  private page(workspaceId: WorkspaceId, usage: MeasuredUsage, after?: CreatorId): Promise<ExplainedCreators> {
    const creators = new ExplainCreators(workspaceId, usage, { limit: CREATORS_PER_PAGE, after });
    return this.queries.execute(creators);
  }

  private recordOf(creatorId: CreatorId, { from, to, length }: Interval, month: Month): string {
    const times = [from, to].map((at) => new Date(at).toISOString());
    return csvRecord([creatorId, ...times, length, shareOfAmount(length, month, this.options.pricing)]);
  }
}
