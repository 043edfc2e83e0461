import type { Readable } from 'node:stream';
import { Body, Controller, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IntersectionType } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Binding, GetBinding } from '#agencies';
import { idParam, MonthText, PageQuery, UsageQuery } from '#http';
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
import type { ListOf, PageOf } from '../../answers/parts.js';
import type { UsageMonthAnswer, UsageOfCreator, UsageOfOneCreator, UsageStatementAnswer } from '../../answers/usage.js';
import { ActorNames } from '../access/actor-names.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read, Rights } from '../access/rights.js';
import { actorsOf, FoundCreators, shownSwitch } from '../creators/found-creators.js';
import { unlessUnbound } from '../lists.js';
import { sentFile } from '../sent-file.js';

const DEFAULT_USAGE_PAGE_SIZE = 50;

class UsageCreatorsQuery extends IntersectionType(UsageQuery, PageQuery) {}

class StatementBody {
  @MonthText()
  month!: string;
}

/** Breaks an amount down by day, by creator, and to the two events of an interval. */
@Controller('dashboard/api/usage')
export class UsageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly options: UsageOptions,
    private readonly creators: FoundCreators,
    private readonly actors: ActorNames,
    private readonly clock: Clock,
    private readonly statements: UsageStatements,
  ) {}

  @Read()
  async month(
    @CurrentUser() { agencyId, workspaceId }: DashboardSession,
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
  async byCreator(
    @CurrentUser() { agencyId }: DashboardSession,
    @Query() { month: asked, limit = DEFAULT_USAGE_PAGE_SIZE, after }: UsageCreatorsQuery,
  ): Promise<PageOf<UsageOfCreator>> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const usage = await this.queries.execute(new GetUsage(workspaceId, parsed(asked)));
    const { creators, next } = await this.queries.execute(new ExplainCreators(workspaceId, usage, { limit, after }));
    const named = await this.creators.named(
      workspaceId,
      creators.map(({ creatorId }) => creatorId),
    );
    return {
      data: creators.map(({ creatorId, active, intervals }) => ({
        creator_id: creatorId,
        display_name: named.get(creatorId)?.name ?? null,
        external_id: named.get(creatorId)?.externalId ?? null,
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
    @CurrentUser() { agencyId }: DashboardSession,
    @Param('id') id: string,
    @Query() { month: asked }: UsageQuery,
  ): Promise<UsageOfOneCreator> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const creatorId = idParam('creator', id);
    const now = this.clock.now();
    const month = parsed(asked) ?? monthOf(now);
    const all = await this.queries.execute(new ListProtectionIntervals(workspaceId, creatorId));
    const { creators } = explainUsage(month, Math.min(spanOf(month).end, now), all);
    const names = await this.creators.names(workspaceId, [creatorId]);
    if (all.length === 0 && !names.has(creatorId)) throw new DomainError('not_found');
    const intervals = creators[0]?.intervals ?? [];
    const named = await this.actors.of({ agencyId }, actorsOf(intervals));
    return {
      display_name: names.get(creatorId) ?? null,
      currency: this.options.pricing.currency,
      data: intervals.map(({ from, to, length, opened, closed }) => ({
        from,
        to,
        active: length,
        share_cents: shareOfAmount(length, month, this.options.pricing),
        opened_by: shownSwitch(opened, named),
        closed_by: closed && shownSwitch(closed, named),
      })),
    };
  }

  /** Signed statements. A worker makes them, because each reads the whole log. */
  @Read('statements')
  async statementList(@CurrentUser() { agencyId }: DashboardSession): Promise<ListOf<UsageStatementAnswer>> {
    return { data: (await this.statements.ofAgency(agencyId)).map(shownStatement) };
  }

  @Post('statements')
  @HttpCode(202)
  @Rights('read')
  async requestStatement(
    @CurrentUser() { agencyId, context }: DashboardSession,
    @Body() { month }: StatementBody,
  ): Promise<UsageStatementAnswer> {
    // D110: `not_found` for an unbound agency, whose statement would only fail.
    await this.queries.execute(new GetBinding(agencyId));
    // Months sort as text.
    if (month > monthOf(this.clock.now()))
      throw invalidRequest({ field: 'month', message: 'must not be in the future' });
    const requested = await this.statements.request(agencyId, month, context);
    if (requested === undefined) throw new DomainError('not_found');
    return shownStatement(requested);
  }

  @Read('statements/:month/file')
  async statementFile(
    @CurrentUser() { agencyId }: DashboardSession,
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

const shownStatement = (statement: ShownStatement): UsageStatementAnswer => ({
  month: statement.month,
  state: statement.state,
  share: statement.share,
  requested_at: statement.requestedAt,
  size: statement.bytes,
  expires_at: statement.expiresAt,
});
