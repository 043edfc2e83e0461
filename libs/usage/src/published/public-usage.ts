import { type Instant, SECOND } from '#kernel';
import { amounts, creatorMonths, type Pricing } from '../domain/estimate.js';
import { spanOf } from '../domain/month.js';
import type { MeasuredUsage } from '../read-models/get-usage.js';

export interface PublicUsage {
  readonly month: string;
  readonly period_start: string;
  readonly period_end: string;
  readonly measured_through: string;
  readonly active_creator_count: number;
  readonly creator_seconds: number;
  readonly creator_months: number;
  readonly estimated_subtotal_cents: number | null;
  readonly minimum_monthly_cents: number | null;
  readonly estimated_total_cents: number | null;
  readonly currency: string;
  readonly estimate: true;
  readonly simulated: false;
  readonly scope: 'agency';
  readonly billing_basis: 'active_api_scan_schedule';
}

export const publicUsage = (
  { month, active, creators, through }: MeasuredUsage,
  pricing: Pricing,
  accountSince: Instant | null,
): PublicUsage => {
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
