import type { Readable } from 'node:stream';
import { Body, Controller, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { type Binding, GetBinding } from '#agencies';
import { Cursor, idParam, MAX_PAGE_SIZE, MonthText, Optional, PageSize, UsageQuery } from '#http';
import { Clock, DomainError, invalidRequest } from '#kernel';
import {
  creatorMonths,
  ExplainCreators,
  ExplainMonth,
  explainUsage,
  GetUsage,
  ListProtectionIntervals,
  type Month,
  monthOf,
  parseMonth,
  publicUsage,
  type ShownStatement,
  shareOfAmount,
  spanOf,
  UsageOptions,
  UsageStatements,
} from '#usage';
import { Read, Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { CreatorNames } from '../creators/found-creators.js';
import { shownSwitch } from '../creators/protection-switch.js';
import { unlessUnbound } from '../found-or.js';
import { sentFile } from '../sent-file.js';
import type {
  UsageIntervalsAnswer,
  UsageMonthAnswer,
  UsageOfCreatorsAnswer,
  UsageStatementAnswer,
  UsageStatementsAnswer,
} from './answers.js';

const DEFAULT_USAGE_PAGE_SIZE = 50;

class UsageCreatorsQuery extends UsageQuery {
  @Optional()
  @PageSize(MAX_PAGE_SIZE, DEFAULT_USAGE_PAGE_SIZE)
  limit?: number;

  @Optional()
  @Cursor()
  after?: string;
}

class StatementBody {
  @MonthText()
  month!: string;
}

/** What an amount consists of: by day, by creator, and down to the two events of an interval. */
@Controller('dashboard/api/usage')
export class UsageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly options: UsageOptions,
    private readonly names: CreatorNames,
    private readonly clock: Clock,
    private readonly statements: UsageStatements,
  ) {}

  @Read()
  async month(
    @Visitor() { agencyId, workspaceId }: Visit,
    @Query() { month: asked }: UsageQuery,
  ): Promise<UsageMonthAnswer> {
    const { pricing } = this.options;
    const binding = await unlessUnbound<Binding | null>(this.queries.execute(new GetBinding(agencyId)), null);
    const { usage, days, asOfEventId } = await this.queries.execute(new ExplainMonth(workspaceId, parsed(asked)));
    const totals = publicUsage(usage, pricing, binding?.boundAt ?? null);
    return {
      month: totals.month,
      measured_through: totals.measured_through,
      per_creator_month_cents: pricing.perCreatorMonth ?? null,
      totals,
      days: (days ?? []).map(({ day, active, creators }) => ({
        date: day,
        active,
        active_creators: creators,
        share_cents: shareOfAmount(active, usage.month, pricing),
      })),
      as_of_event_id: asOfEventId,
      is_behind: usage.isBehind,
      is_too_large: days === null,
      is_bound: binding !== null,
    };
  }

  @Read('creators')
  async creators(
    @Visitor() { agencyId }: Visit,
    @Query() { month: asked, limit = DEFAULT_USAGE_PAGE_SIZE, after }: UsageCreatorsQuery,
  ): Promise<UsageOfCreatorsAnswer> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const usage = await this.queries.execute(new GetUsage(workspaceId, parsed(asked)));
    const { creators, next } = await this.queries.execute(new ExplainCreators(workspaceId, usage, { limit, after }));
    const names = await this.names.of(creators.map(({ creatorId }) => creatorId));
    return {
      data: creators.map(({ creatorId, active, intervals }) => ({
        creator_id: creatorId,
        display_name: names.get(creatorId) ?? null,
        active,
        creator_months: creatorMonths(active, usage.month),
        share_cents: shareOfAmount(active, usage.month, this.options.pricing),
        intervals: intervals.length,
      })),
      next_cursor: next,
    };
  }

  @Read('creators/:id')
  async intervals(
    @Visitor() { agencyId }: Visit,
    @Param('id') id: string,
    @Query() { month: asked }: UsageQuery,
  ): Promise<UsageIntervalsAnswer> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const now = this.clock.now();
    const month = parsed(asked) ?? monthOf(now);
    const all = await this.queries.execute(new ListProtectionIntervals(workspaceId, idParam('creator', id)));
    const { creators } = explainUsage(month, Math.min(spanOf(month).end, now), all);
    return {
      data: (creators[0]?.intervals ?? []).map(({ from, to, length, opened, closed }) => ({
        from,
        to,
        active: length,
        share_cents: shareOfAmount(length, month, this.options.pricing),
        opened_by: shownSwitch(opened),
        closed_by: closed && shownSwitch(closed),
      })),
    };
  }

  /** Signed statements of a month. A worker makes them, because each reads the whole log. */
  @Read('statements')
  async statementList(@Visitor() { agencyId }: Visit): Promise<UsageStatementsAnswer> {
    return { data: (await this.statements.ofAgency(agencyId)).map(answerOf) };
  }

  @Post('statements')
  @HttpCode(202)
  @Rights('read')
  async requestStatement(
    @Visitor() { agencyId, context }: Visit,
    @Body() { month }: StatementBody,
  ): Promise<UsageStatementAnswer> {
    // D110: `not_found` for an unbound agency, whose statement would only fail.
    await this.queries.execute(new GetBinding(agencyId));
    // Months sort as text.
    if (month > monthOf(this.clock.now()))
      throw invalidRequest({ field: 'month', message: 'must not be in the future' });
    const requested = await this.statements.request(agencyId, month, context);
    if (requested === undefined) throw new DomainError('not_found');
    return answerOf(requested);
  }

  @Read('statements/:month/file')
  async statementFile(
    @Visitor() { agencyId }: Visit,
    @Param('month') month: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const statement = parseMonth(month) && (await this.statements.find(agencyId, month));
    if (!statement || statement.parts === 0) throw new DomainError('not_found');
    reply.header('content-length', statement.bytes);
    return sentFile(reply, 'application/json', `usage-statement-${month}.json`, this.statements.text(statement));
  }
}

const parsed = (month: string | undefined): Month | undefined => (month === undefined ? undefined : parseMonth(month));

const answerOf = ({ month, state, share, requestedAt, bytes, expiresAt }: ShownStatement): UsageStatementAnswer => ({
  month,
  state,
  share,
  requested_at: requestedAt,
  size: bytes,
  expires_at: expiresAt,
});
