import {
  always,
  amount,
  cents,
  count,
  described,
  isoTime,
  type JsonSchema,
  live,
  objectOf,
  oneOf,
  orNull,
} from '#http';
import type { publicUsage } from '#usage';

const money = described(orNull(cents), 'In minor units; null where no price is configured.');

export const USAGE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Usage: objectOf<ReturnType<typeof publicUsage>>({
    month: { type: 'string', pattern: '^\\d{4}-\\d{2}$', description: 'A UTC month, such as `2026-11`.' },
    period_start: isoTime,
    period_end: isoTime,
    measured_through: described(isoTime, 'The time up to which usage is in these figures.'),
    active_creator_count: described(count, 'Creators with any active time in the period.'),
    creator_seconds: amount,
    creator_months: described(amount, 'To six decimals.'),
    estimated_subtotal_cents: money,
    minimum_monthly_cents: money,
    estimated_total_cents: money,
    currency: oneOf('EUR', 'USD'),
    estimate: always(true, 'this is no invoice.'),
    simulated: live,
    scope: oneOf('agency'),
    billing_basis: oneOf('active_api_scan_schedule'),
  }),
};
