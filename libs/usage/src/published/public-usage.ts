import { type Instant, SECOND } from '#kernel';
import { amounts, creatorMonths, type Pricing } from '../domain/estimate.js';
import { spanOf } from '../domain/month.js';
import type { UsageFigures } from '../domain/usage-explanation.js';

export const publicUsage = (figures: UsageFigures, pricing: Pricing, accountSince: Instant | null) => {
  const { start, end } = spanOf(figures.month);
  return {
    month: figures.month,
    period_start: new Date(start).toISOString(),
    period_end: new Date(end).toISOString(),
    measured_through: new Date(figures.through).toISOString(),
    ...pricedFigures(figures, pricing, accountSince),
    currency: pricing.currency,
    estimate: true,
    simulated: false,
    scope: 'agency',
    billing_basis: 'active_api_scan_schedule',
  } as const;
};

export const pricedFigures = (
  { month, active, creators }: UsageFigures,
  pricing: Pricing,
  accountSince: Instant | null,
) => {
  const money = amounts(active, month, pricing, accountSince);
  return {
    active_creator_count: creators,
    creator_seconds: active / SECOND,
    creator_months: creatorMonths(active, month),
    estimated_subtotal_cents: money?.subtotal ?? null,
    minimum_monthly_cents: money?.minimum ?? null,
    estimated_total_cents: money?.total ?? null,
  };
};
