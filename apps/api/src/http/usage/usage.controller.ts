import { Controller, Get, Inject, Query } from '@nestjs/common';
import { eventsOf, explainUsage, protectionIntervals, SWITCHES } from '#auditing';
import { type Instant, invalidRequest, SECOND } from '#kernel';
import { METERING } from '#processes';
import { READ_MODELS, type UsageFigures } from '#read-models';
import { amounts, creatorMonths, type Month, monthOf, type Pricing, parseMonth, spanOf } from '#usage';
import type { Services } from '../../../../composition/src/index.js';
import { Operation } from '../../openapi/operation.js';
import { SERVICES } from '../../tokens.js';
import { type Access, Caller } from '../access.js';
import { UsageQuery } from './usage.query.js';

const PATIENCE = 2_000;

@Controller('v1/usage')
export class UsageController {
  constructor(@Inject(SERVICES) private readonly services: Services) {}

  @Get()
  @Operation({
    summary: 'Active time of a UTC month, and what it is estimated at.',
    label: '0.2.0',
    scopes: ['usage:read'],
    answers: { 200: 'Usage' },
  })
  async usage(@Caller() { scope }: Access, @Query() { month: asked }: UsageQuery) {
    const { clock, usage, caughtUp, config } = this.services;
    // Meter first: what it appends is what the read models have to have seen.
    const isComplete = (await caughtUp([METERING], PATIENCE)) && (await caughtUp([READ_MODELS], PATIENCE));
    const now = clock.now();
    const month = (asked === undefined ? undefined : parseMonth(asked)) ?? monthOf(now);
    const { start, end } = spanOf(month);
    if (start > now) throw invalidRequest({ field: 'month', message: 'must not lie in the future' });
    const through = Math.min(end, now);
    const figures = await usage.figures(scope.workspaceId, month, through);
    if (isComplete && through === now && figures.metered > now) {
      return presentUsage(month, await this.reckonedAnew(scope, month, through), through, config.pricing);
    }
    if (isComplete) return presentUsage(month, figures, through, config.pricing);
    // D44: figures that lag behind the log speak only up to their last event.
    const behind = Math.min(through, Math.max(start, figures.metered));
    return presentUsage(month, await usage.figures(scope.workspaceId, month, behind), behind, config.pricing);
  }

  /** The clock was set back behind what has been metered: only the log itself says what lies before this moment (D44). */
  private async reckonedAnew({ agencyId, workspaceId }: Access['scope'], month: Month, through: Instant) {
    const switches = eventsOf(this.services.log, { types: new Set(SWITCHES) });
    const intervals = await protectionIntervals(switches, workspaceId);
    const { active, creators } = explainUsage({ agencyId, workspaceId }, month, through, intervals);
    return { active, creators: creators.length };
  }
}

const presentUsage = (
  month: Month,
  { active, creators }: Pick<UsageFigures, 'active' | 'creators'>,
  through: Instant,
  pricing: Pricing,
) => {
  const { start, end } = spanOf(month);
  const money = amounts(active, month, pricing);
  return {
    month,
    period_start: new Date(start).toISOString(),
    period_end: new Date(end).toISOString(),
    measured_through: new Date(through).toISOString(),
    active_creator_count: creators,
    creator_seconds: active / SECOND,
    creator_months: creatorMonths(active, month),
    estimated_subtotal_cents: money?.subtotal ?? null,
    minimum_monthly_cents: money?.minimum ?? null,
    estimated_total_cents: money?.total ?? null,
    currency: pricing.currency,
    estimate: true,
    simulated: false,
    scope: 'agency',
    billing_basis: 'active_api_scan_schedule',
  };
};
