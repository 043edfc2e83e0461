import { type AgencyId, derivedId, type Instant } from '#kernel';
import {
  type ClippedInterval,
  creatorMonths,
  type DayShare,
  explainUsage,
  type Month,
  type Pricing,
  type ProtectionInterval,
  pricedFigures,
  type Switch,
  shareOfAmount,
  spanOf,
} from '#usage';

interface AgencyMonth {
  readonly agencyId: AgencyId;
  readonly month: Month;
  readonly at: Instant;
  readonly intervals: readonly ProtectionInterval[];
  /** When the account began, by the agency's first binding; null if it had not begun at that point of the log. */
  readonly since: Instant | null;
}

export type UsageDocument = ReturnType<typeof usageDocument>;
export type DocumentedCreator = UsageDocument['creators'][number];
export type DocumentedDay = ReturnType<typeof documentedDay>;
export type DocumentedInterval = ReturnType<typeof documentedInterval>;
export type DocumentedSwitch = ReturnType<typeof documentedSwitch>;

/**
 * An explanation in its exchange format: times in epoch milliseconds or ISO 8601 as in the API, money in minor units,
 * active time in milliseconds, so that a reader can add it up exactly. A statement signs it, so the order of its
 * members is fixed.
 */
export const usageDocument = (
  { agencyId, month, at, intervals, since }: AgencyMonth,
  pricing: Pricing,
  creatorId?: string,
) => {
  const { start, end } = spanOf(month);
  const through = Math.min(end, at);
  const { figures, days, creators } = explainUsage(month, through, intervals);
  const { active_creator_count, ...totals } = pricedFigures(figures, pricing, since);
  return {
    kind: 'usage_explanation' as const,
    version: 1 as const,
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
    /** As `GET /v1/usage` answers them at that point of the log, for the whole agency. */
    totals: { active_creator_count, active_milliseconds: figures.active, ...totals },
    days: days.map(documentedDay),
    creators: creators
      .filter((creator) => creatorId === undefined || creator.creatorId === creatorId)
      .map((creator) => ({
        creator_id: creator.creatorId,
        active_milliseconds: creator.active,
        creator_months: creatorMonths(creator.active, month),
        /** Its part of the subtotal before rounding, to six decimals; null without a price. */
        share_cents: shareOfAmount(creator.active, month, pricing),
        days: creator.days.map(documentedDay),
        intervals: creator.intervals.map(documentedInterval),
      })),
  };
};

const documentedDay = ({ day, active, creators }: DayShare) => ({
  date: day,
  active_milliseconds: active,
  active_creator_count: creators,
});

/** Clipped to the month and to `measured_through`. */
const documentedInterval = ({ from, to, length, opened, closed }: ClippedInterval) => ({
  from,
  to,
  active_milliseconds: length,
  opened_by: documentedSwitch(opened),
  /** Null if it was open at that point of the log. */
  closed_by: closed && documentedSwitch(closed),
});

const documentedSwitch = ({ eventId, at, actor, requestId, reason }: Switch) => ({
  event_id: eventId,
  at,
  actor,
  request_id: requestId,
  reason,
});
