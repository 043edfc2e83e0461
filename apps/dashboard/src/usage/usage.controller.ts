import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse } from '@nestjs/swagger';
import { type Binding, GetBinding } from '#agencies';
import { Clock } from '#kernel';
import {
  creatorMonths,
  daysThrough,
  ExplainCreatorMonth,
  ExplainCreators,
  ExplainMonth,
  GetUsage,
  type Month,
  monthOf,
  parseMonth,
  publicUsage,
  shareOfAmount,
  UsageOptions,
} from '#usage';
import { UsageQuery } from '../../../api/src/http/usage/usage.query.js';
import { idParam } from '../../../api/src/http/validation/id-param.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { CreatorNames } from '../creators/creator-names.js';
import { shownSwitch } from '../creators/protection-switch.js';
import { unlessUnbound } from '../found-or.js';
import {
  DEFAULT_USAGE_PAGE_SIZE,
  UsageCreatorsQuery,
  UsageIntervalsAnswer,
  UsageMonthAnswer,
  UsageOfCreatorsAnswer,
} from './usage.dto.js';

/** What an amount consists of: by day, by creator, and down to the two events of an interval. */
@Controller('dashboard/api/usage')
export class UsageController {
  constructor(
    private readonly queries: QueryBus,
    private readonly options: UsageOptions,
    private readonly names: CreatorNames,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Rights('read')
  @ApiOkResponse({ type: UsageMonthAnswer })
  async month(
    @Visitor() { agencyId, workspaceId }: Visit,
    @Query() { month: asked }: UsageQuery,
  ): Promise<UsageMonthAnswer> {
    const { pricing } = this.options;
    const binding = await unlessUnbound<Binding | null>(this.queries.execute(new GetBinding(agencyId)), null);
    const explained = await this.queries.execute(new ExplainMonth(workspaceId, parsed(asked)));
    const { explanation, asOfEventId, isBehind } = explained;
    const measured =
      explanation === null
        ? await this.queries.execute(new GetUsage(workspaceId, parsed(asked)))
        : { ...explanation, creators: explanation.creators.length };
    const { month, through } = measured;
    const byDay = new Map(explanation?.days.map((day) => [day.day, day]));
    return {
      month,
      measured_through: new Date(through).toISOString(),
      per_creator_month_cents: pricing.perCreatorMonth ?? null,
      totals: publicUsage(measured, pricing, binding?.boundAt ?? null),
      days: (explanation === null ? [] : daysThrough(month, through)).map((day) => {
        const { active = 0, creators = 0 } = byDay.get(day) ?? {};
        return { date: day, active, active_creators: creators, share_cents: shareOfAmount(active, month, pricing) };
      }),
      as_of_event_id: asOfEventId,
      is_behind: isBehind,
      is_too_large: explanation === null,
      is_bound: binding !== null,
    };
  }

  @Get('creators')
  @Rights('read')
  @ApiOkResponse({ type: UsageOfCreatorsAnswer })
  async creators(
    @Visitor() { agencyId }: Visit,
    @Query() { month: asked, limit = DEFAULT_USAGE_PAGE_SIZE, after }: UsageCreatorsQuery,
  ): Promise<UsageOfCreatorsAnswer> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const page = { limit, after };
    const { month, creators, next } = await this.queries.execute(new ExplainCreators(workspaceId, parsed(asked), page));
    const names = await this.names.of(creators.map(({ creatorId }) => creatorId));
    return {
      data: creators.map(({ creatorId, active, intervals }) => ({
        creator_id: creatorId,
        display_name: names.get(creatorId) ?? null,
        active,
        creator_months: creatorMonths(active, month),
        share_cents: shareOfAmount(active, month, this.options.pricing),
        intervals: intervals.length,
      })),
      next_cursor: next,
    };
  }

  @Get('creators/:id')
  @Rights('read')
  @ApiOkResponse({ type: UsageIntervalsAnswer })
  async intervals(
    @Visitor() { agencyId }: Visit,
    @Param('id') id: string,
    @Query() { month: asked }: UsageQuery,
  ): Promise<UsageIntervalsAnswer> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const month = parsed(asked) ?? monthOf(this.clock.now());
    const intervals = await this.queries.execute(new ExplainCreatorMonth(workspaceId, month, idParam('creator', id)));
    return {
      data: intervals.map(({ from, to, length, opened, closed }) => ({
        from,
        to,
        active: length,
        share_cents: shareOfAmount(length, month, this.options.pricing),
        opened_by: shownSwitch(opened),
        closed_by: closed && shownSwitch(closed),
      })),
    };
  }
}

const parsed = (month: string | undefined): Month | undefined => (month === undefined ? undefined : parseMonth(month));
