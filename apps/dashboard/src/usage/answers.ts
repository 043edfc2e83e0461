import type { ListOf, PageOf } from '../answers.js';
import type { ProtectionIntervalAnswer } from '../creators/answers.js';

/** A part of the month's time. */
interface UsageShare {
  /** Milliseconds. */
  readonly active: number;
  /** Its part of the subtotal before rounding, in minor units. */
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

/** The usage of a month, with the last event of the log that it counts. */
export interface UsageMonthAnswer {
  readonly month: string;
  readonly measured_through: string;
  readonly per_creator_month_cents: number | null;
  readonly totals: UsageTotals;
  /** Every day up to `measured_through`. */
  readonly days: readonly UsageDay[];
  readonly as_of_event_id: string | null;
  /** Whether later events were not counted yet. */
  readonly is_behind: boolean;
  /** More than 50,000 intervals: the days are left out. The creators, the file and the statement have all of them. */
  readonly is_too_large: boolean;
  /** Without a binding nothing was ever counted. */
  readonly is_bound: boolean;
}

export interface UsageOfCreator extends UsageShare {
  readonly creator_id: string;
  /** Null where the agency can no longer see the creator. */
  readonly display_name: string | null;
  readonly creator_months: number;
  readonly intervals: number;
}

export type UsageOfCreatorsAnswer = PageOf<UsageOfCreator>;

export interface UsageIntervalAnswer extends UsageShare, Pick<ProtectionIntervalAnswer, 'opened_by' | 'closed_by'> {
  /** Within the month. */
  readonly from: number;
  /** The end of the interval, at the latest now or the end of the month. */
  readonly to: number;
}

export type UsageIntervalsAnswer = ListOf<UsageIntervalAnswer>;

export interface UsageStatementAnswer {
  readonly month: string;
  readonly state: 'pending' | 'made' | 'failed';
  /** The part of the log that has been read, from 0 to 1. */
  readonly share: number;
  readonly requested_at: number;
  /** The size of the file in bytes; 0 until it is made. */
  readonly size: number;
  /** Until then it can be fetched. */
  readonly expires_at: number | null;
}

export type UsageStatementsAnswer = ListOf<UsageStatementAnswer>;
