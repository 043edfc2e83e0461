import type { Readable } from 'node:stream';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetBinding } from '#agencies';
import { csvRecord } from '#csv';
import type { CreatorId, WorkspaceId } from '#kernel';
import { ExplainCreators, type ExplainedCreators, type Month, parseMonth, shareOfAmount, UsageOptions } from '#usage';
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
    const first = await this.page(workspaceId, asked === undefined ? undefined : parseMonth(asked));
    return sentCsv(reply, `usage-${first.month}.csv`, this.records(workspaceId, first));
  }

  private async *records(workspaceId: WorkspaceId, first: ExplainedCreators): AsyncGenerator<string> {
    const { month, through } = first;
    yield csvRecord(COLUMNS);
    for (let page = first; ; ) {
      yield page.creators.flatMap(({ creatorId, intervals }) => this.recordsOf(creatorId, intervals, month)).join('');
      if (page.next === null) return;
      page = await this.page(workspaceId, month, { after: page.next, through });
    }
  }

  private page(workspaceId: WorkspaceId, month: Month | undefined, more: object = {}): Promise<ExplainedCreators> {
    const creators = new ExplainCreators(workspaceId, month, { limit: CREATORS_PER_PAGE, ...more });
    return this.turns.read(workspaceId, () => this.queries.execute(creators));
  }

  private recordsOf(creatorId: CreatorId, intervals: ExplainedCreators['creators'][number]['intervals'], month: Month) {
    return intervals.map(({ from, to, length }) => {
      const times = [from, to].map((at) => new Date(at).toISOString());
      return csvRecord([creatorId, ...times, length, shareOfAmount(length, month, this.options.pricing)]);
    });
  }
}
