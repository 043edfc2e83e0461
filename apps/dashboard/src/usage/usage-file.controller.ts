import type { Readable } from 'node:stream';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetBinding } from '#agencies';
import { csvRecord } from '#csv';
import type { CreatorId, WorkspaceId } from '#kernel';
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
import { UsageQuery } from '../../../api/src/http/usage/usage.query.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { PageTurns } from '../page-turns.js';
import { sentCsv } from '../sent-file.js';

const CREATORS_PER_PAGE = 500;
const COLUMNS = ['creator_id', 'from', 'to', 'active_milliseconds', 'share_cents'];

/** The intervals of a month as a CSV file for a spreadsheet (D52); its milliseconds add up to the month's. */
@Controller('dashboard/api/usage/file')
export class UsageFileController {
  constructor(
    private readonly queries: QueryBus,
    private readonly options: UsageOptions,
    private readonly turns: PageTurns,
  ) {}

  @Get()
  @Rights('read')
  async file(
    @Visitor() { agencyId }: Visit,
    @Query() { month: asked }: UsageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const month = asked === undefined ? undefined : parseMonth(asked);
    const usage = await this.queries.execute(new GetUsage(workspaceId, month));
    const first = await this.page(workspaceId, usage);
    return sentCsv(reply, `usage-${usage.month}.csv`, this.records(workspaceId, usage, first));
  }

  private async *records(
    workspaceId: WorkspaceId,
    usage: MeasuredUsage,
    first: ExplainedCreators,
  ): AsyncGenerator<string> {
    yield csvRecord(COLUMNS);
    for (let page = first; ; ) {
      yield page.creators
        .flatMap(({ creatorId, intervals }) => this.recordsOf(creatorId, intervals, usage.month))
        .join('');
      if (page.next === null) return;
      page = await this.page(workspaceId, usage, page.next);
    }
  }

  private page(workspaceId: WorkspaceId, usage: MeasuredUsage, after?: CreatorId): Promise<ExplainedCreators> {
    const creators = new ExplainCreators(workspaceId, usage, { limit: CREATORS_PER_PAGE, after });
    return this.turns.read(workspaceId, () => this.queries.execute(creators));
  }

  private recordsOf(creatorId: CreatorId, intervals: ExplainedCreators['creators'][number]['intervals'], month: Month) {
    return intervals.map(({ from, to, length }) => {
      const times = [from, to].map((at) => new Date(at).toISOString());
      return csvRecord([creatorId, ...times, length, shareOfAmount(length, month, this.options.pricing)]);
    });
  }
}
