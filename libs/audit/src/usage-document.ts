import { type AgencyId, derivedId, type Instant, SECOND } from '#kernel';
import {
  amounts,
  creatorMonths,
  daysThrough,
  type ExplainedInterval,
  type Pricing,
  type Switch,
  shareOfAmount,
  spanOf,
  type UsageExplanation,
} from '#usage';

/**
 * An explanation as it is exchanged: times in epoch milliseconds or ISO 8601 as in the API, money in minor units,
 * active time in milliseconds, so that a reader can add it up again without loss.
 */
export interface UsageDocument {
  readonly kind: 'usage_explanation';
  readonly version: 1;
  readonly agency_id: string;
  readonly workspace_id: string;
  readonly month: string;
  readonly period_start: string;
  readonly period_end: string;
  readonly measured_through: string;
  readonly price: {
    readonly per_creator_month_cents: number | null;
    readonly minimum_monthly_cents: number;
    readonly currency: Pricing['currency'];
  };
  /** As `GET /v1/usage` answers them at that point of the log, for the whole agency. */
  readonly totals: UsageTotals;
  readonly days: readonly DocumentedDay[];
  readonly creators: readonly DocumentedCreator[];
}

export interface UsageTotals {
  readonly active_creator_count: number;
  readonly active_milliseconds: number;
  readonly creator_seconds: number;
  readonly creator_months: number;
  readonly estimated_subtotal_cents: number | null;
  readonly minimum_monthly_cents: number | null;
  readonly estimated_total_cents: number | null;
}

export interface DocumentedDay {
  readonly date: string;
  readonly active_milliseconds: number;
  readonly active_creator_count: number;
}

export interface DocumentedCreator {
  readonly creator_id: string;
  readonly active_milliseconds: number;
  readonly creator_months: number;
  /** Its part of the subtotal before rounding, to six decimals; null without a price. */
  readonly share_cents: string | null;
  readonly days: readonly DocumentedDay[];
  readonly intervals: readonly DocumentedInterval[];
}

export interface DocumentedInterval {
  /** Clipped to the month and to `measured_through`. */
  readonly from: number;
  readonly to: number;
  readonly active_milliseconds: number;
  readonly opened_by: DocumentedSwitch;
  /** Null if it was open at that point of the log. */
  readonly closed_by: DocumentedSwitch | null;
}

export interface DocumentedSwitch {
  readonly event_id: string;
  readonly at: number;
  readonly actor: string;
  readonly request_id: string;
  readonly reason: string;
}

interface Account {
  readonly agencyId: AgencyId;
  /** When it began, by the agency's first binding; null where it had not at that point of the log. */
  readonly since: Instant | null;
}

export const usageDocument = (
  { agencyId, since }: Account,
  explanation: UsageExplanation,
  pricing: Pricing,
  creatorId?: string,
): UsageDocument => {
  const { month, through, active, days, creators } = explanation;
  const { start, end } = spanOf(month);
  const money = amounts(active, month, pricing, since);
  const byDay = new Map(days.map((day) => [day.day, day]));
  return {
    kind: 'usage_explanation',
    version: 1,
    agency_id: agencyId,
    workspace_id: derivedId('workspace', agencyId),
    month,
    period_start: new Date(start).toISOString(),
    period_end: new Date(end).toISOString(),
    measured_through: new Date(through).toISOString(),
    price: {
      per_creator_month_cents: pricing.perCreatorMonth ?? null,
      minimum_monthly_cents: pricing.minimumMonthly,
      currency: pricing.currency,
    },
    totals: {
      active_creator_count: creators.length,
      active_milliseconds: active,
      creator_seconds: active / SECOND,
      creator_months: creatorMonths(active, month),
      estimated_subtotal_cents: money?.subtotal ?? null,
      minimum_monthly_cents: money?.minimum ?? null,
      estimated_total_cents: money?.total ?? null,
    },
    days: daysThrough(month, through).map((day) => documentedDay(byDay.get(day) ?? { day, active: 0, creators: 0 })),
    creators: creators
      .filter((creator) => creatorId === undefined || creator.creatorId === creatorId)
      .map((creator) => ({
        creator_id: creator.creatorId,
        active_milliseconds: creator.active,
        creator_months: creatorMonths(creator.active, month),
        share_cents: shareOfAmount(creator.active, month, pricing),
        days: creator.days.map(documentedDay),
        intervals: creator.intervals.map(documentedInterval),
      })),
  };
};

const documentedDay = ({ day, active, creators }: UsageExplanation['days'][number]): DocumentedDay => ({
  date: day,
  active_milliseconds: active,
  active_creator_count: creators,
});

const documentedInterval = ({ from, to, length, opened, closed }: ExplainedInterval): DocumentedInterval => ({
  from,
  to,
  active_milliseconds: length,
  opened_by: documentedSwitch(opened),
  closed_by: closed && documentedSwitch(closed),
});

const documentedSwitch = ({ eventId, at, actor, requestId, reason }: Switch): DocumentedSwitch => ({
  event_id: eventId,
  at,
  actor,
  request_id: requestId,
  reason,
});
