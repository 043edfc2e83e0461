import type { ProtectionIntervalAnswer } from './creators.js';
import type { ListOf } from './parts.js';

interface UsageShare {
  /** Active milliseconds of the month. */
  readonly active: number;
  /** The part of the subtotal before rounding, in minor units. */
  readonly share_cents: string | null;
}

export interface UsageDay extends UsageShare {
  /** A day in UTC, `YYYY-MM-DD`. */
  readonly date: string;
  readonly active_creators: number;
}

export interface UsageTotals {
  readonly month: string;
  readonly active_creator_count: number;
  readonly creator_seconds: number;
  readonly creator_months: number;
  readonly estimated_subtotal_cents: number | null;
  readonly minimum_monthly_cents: number | null;
  readonly estimated_total_cents: number | null;
  readonly currency: string;
}

export interface UsageMonthAnswer {
  readonly month: string;
  readonly measured_through: string;
  readonly per_creator_month_cents: number | null;
  readonly totals: UsageTotals;
  /** Every day up to `measured_through`. */
  readonly days: readonly UsageDay[];
  readonly as_of_event_id: string | null;
  /** True if later events are not counted yet. */
  readonly is_behind: boolean;
  /** True if the month has more than 50,000 intervals, which leaves out days; the rest is complete. */
  readonly is_too_large: boolean;
  /** False for an agency that was never bound, which has no usage. */
  readonly is_bound: boolean;
}

export interface UsageOfCreator extends UsageShare {
  readonly creator_id: string;
  /** Null if the agency can no longer see the creator. */
  readonly display_name: string | null;
  readonly external_id: string | null;
  readonly creator_months: number;
  readonly intervals: number;
}

/** `from` and `to` are clipped to the month. */
export interface UsageIntervalAnswer extends UsageShare, Pick<ProtectionIntervalAnswer, 'opened_by' | 'closed_by'> {
  readonly from: number;
  readonly to: number;
}

export interface UsageStatementAnswer {
  readonly month: string;
  readonly state: 'pending' | 'made' | 'failed';
  /** The part of the log that has been read, from 0 to 1. */
  readonly share: number;
  readonly requested_at: number;
  /** The bytes of the file; 0 until it is made. */
  readonly size: number;
  readonly expires_at: number | null;
}

export interface UsageOfOneCreator extends ListOf<UsageIntervalAnswer> {
  readonly currency: string;
  /** Null if the agency can no longer see the creator, or never had it. */
  readonly display_name: string | null;
}
