import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Binding } from '#agencies';
import type { Config } from '#configuration';
import { Clock, type Duration, EventLog, eventsOf, type Instant, invalidRequest, Progress, SECOND } from '#kernel';
import { READ_MODELS, requireComplete, SetAsideList } from '#projections';
import {
  amounts,
  creatorMonths,
  explainUsage,
  METERING,
  type Month,
  monthOf,
  type Pricing,
  parseMonth,
  protectionIntervals,
  SWITCHES,
  spanOf,
  type UsageFigures,
  UsageReader,
  usageMonthsProjection,
  usageOpeningsProjection,
} from '#usage';
import { CONFIG } from '../../../../service/src/tokens.js';
import { Operation } from '../../openapi/operation.js';
import { type Access, Caller } from '../access.js';
import { UsageQuery } from './usage.query.js';

const CATCH_UP_TIMEOUT = 2_000;
/** What a figure is made of. */
const MADE_OF = [METERING, usageMonthsProjection.name, usageOpeningsProjection.name];

@Controller('v1/usage')
export class UsageController {
  constructor(
    private readonly figures: UsageReader,
    private readonly log: EventLog,
    private readonly progress: Progress,
    private readonly setAsides: SetAsideList,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @Operation({
    summary: 'Active time of a UTC month, and what it is estimated at.',
    label: '0.2.0',
    scopes: ['usage:read'],
    answers: { 200: 'Usage' },
  })
  async usage(@Caller() { scope, agency }: Access, @Query() { month: asked }: UsageQuery) {
    // Meter first: what it appends is what the read models have to have seen.
    const deadline = performance.now() + CATCH_UP_TIMEOUT;
    const isComplete =
      (await this.caughtUp([METERING], CATCH_UP_TIMEOUT)) &&
      (await this.caughtUp([READ_MODELS], Math.max(0, deadline - performance.now())));
    const now = this.clock.now();
    const month = (asked === undefined ? undefined : parseMonth(asked)) ?? monthOf(now);
    const { start, end } = spanOf(month);
    if (start > now) throw invalidRequest({ field: 'month', message: 'must not lie in the future' });
    const through = Math.min(end, now);
    const present = (figures: Pick<UsageFigures, 'active' | 'creators'>, measured: Instant) =>
      presentUsage(month, figures, measured, this.config.pricing, agency.binding.boundAt);
    await requireComplete(this.setAsides, scope.workspaceId, MADE_OF);
    let figures = await this.figures.figures(scope.workspaceId, month, through);
    if (through === now && figures.metered > now) {
      return present(await this.recomputeFromLog(agency.binding, month, through), through);
    }
    if (isComplete) return present(figures, through);
    // D44: figures that lag behind the log speak only up to their last event, also where they catch up between two reads.
    for (;;) {
      const behind = Math.min(through, Math.max(start, figures.metered));
      figures = await this.figures.figures(scope.workspaceId, month, behind);
      if (Math.min(through, figures.metered) <= behind) return present(figures, behind);
    }
  }

  private async caughtUp(runners: readonly string[], timeout: Duration): Promise<boolean> {
    return this.progress.passed(runners, await this.log.head(), timeout);
  }

  /** The clock was set back behind what has been metered: only the log itself says what lies before this moment (D44). */
  private async recomputeFromLog({ agencyId, workspaceId, boundAt }: Binding, month: Month, through: Instant) {
    const switches = eventsOf(this.log, { types: new Set(SWITCHES) });
    const intervals = await protectionIntervals(switches, workspaceId);
    const { active, creators } = explainUsage({ agencyId, workspaceId, since: boundAt }, month, through, intervals);
    return { active, creators: creators.length };
  }
}

const presentUsage = (
  month: Month,
  { active, creators }: Pick<UsageFigures, 'active' | 'creators'>,
  through: Instant,
  pricing: Pricing,
  accountSince: Instant,
) => {
  const { start, end } = spanOf(month);
  const money = amounts(active, month, pricing, accountSince);
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
