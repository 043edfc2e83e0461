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
  ListProtectionIntervals,
  type MeasuredUsage,
  type Month,
  parseMonth,
  shareOfAmount,
  UsageOptions,
} from '#usage';
import { DashboardReads } from '../access/dashboard-reads.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read } from '../access/rights.js';
import { FoundCreators } from '../creators/found-creators.js';
import { pagesOf, sentCsv } from '../sent-file.js';

const CREATORS_PER_PAGE = 100;
const COLUMNS = [
  'creator_id',
  'creator_name',
  'external_id',
  'from',
  'to',
  'active_milliseconds',
  'share_cents',
  'currency',
  'opened_by_event_id',
  'closed_by_event_id',
];

type Explained = ExplainedCreators['creators'][number];

/** The intervals of a month as a CSV file (D52). Its milliseconds add up to the month's. */
@Controller('dashboard/api/usage/file')
export class UsageFileController {
  constructor(
    private readonly queries: QueryBus,
    private readonly options: UsageOptions,
    private readonly reads: DashboardReads,
    private readonly creators: FoundCreators,
  ) {}

  @Read()
  async file(
    @CurrentUser() user: DashboardSession,
    @Query() { month: asked }: UsageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const { workspaceId } = await this.queries.execute(new GetBinding(user.agencyId));
    const month = asked === undefined ? undefined : parseMonth(asked);
    const usage = await this.queries.execute(new GetUsage(workspaceId, month));
    const first = await this.page(workspaceId, usage);
    const read = async (after?: CreatorId) =>
      after === undefined ? first : this.reads.part(user, () => this.page(workspaceId, usage, after));
    return sentCsv(reply, `usage-${usage.month}.csv`, pagesOf(read));
  }

  private async page(workspaceId: WorkspaceId, usage: MeasuredUsage, after?: CreatorId) {
    const some = new ExplainCreators(workspaceId, usage, { limit: CREATORS_PER_PAGE, after });
    const { creators, next } = await this.queries.execute(some);
    const named = await this.creators.named(
      workspaceId,
      creators.map(({ creatorId }) => creatorId),
    );
    let text = after === undefined ? csvRecord(COLUMNS) : '';
    for (const creator of creators) {
      await nextPart();
      const { name = '', externalId = '' } = named.get(creator.creatorId) ?? {};
      text += await this.recordsOf(workspaceId, creator, [creator.creatorId, name, externalId ?? ''], usage.month);
    }
    return { text, next };
  }

  /** The read model has the times of an interval. The events that made it are in the creator's stream. */
  private async recordsOf(workspaceId: WorkspaceId, creator: Explained, names: readonly string[], month: Month) {
    const { pricing } = this.options;
    const made = await this.queries.execute(new ListProtectionIntervals(workspaceId, creator.creatorId));
    const madeAt = new Map(made.map((one) => [one.opened.at, one]));
    const records = creator.intervals.map(({ from, to, length, opened }) => {
      const { opened: begin, closed: end } = madeAt.get(opened.at) ?? {};
      const times = [from, to].map((at) => new Date(at).toISOString());
      const share = shareOfAmount(length, month, pricing);
      const events = [begin?.eventId ?? '', end?.eventId ?? ''];
      return csvRecord([...names, ...times, length, share, pricing.currency, ...events]);
    });
    return records.join('');
  }
}
