import type { CodeSamplesAnswer, ListOf } from './parts.js';
import type { UsageTotals } from './usage.js';

export interface StepAnswer {
  readonly step: 'verified' | 'bound' | 'key_issued' | 'first_call' | 'endpoint_registered' | 'first_delivery';
  readonly done: boolean;
  /**
   * Null while the step is open, and always for `verified` and `first_call`, whose times are not recorded.
   */
  readonly at: number | null;
}

export interface CapacityAnswer {
  readonly plan: string;
  readonly total_slots: number;
  readonly occupied_slots: number;
  readonly reserved_slots: number;
  readonly available_slots: number;
  readonly overflow_slots: number;
}

export type UsageAnswer = Pick<
  UsageTotals,
  'month' | 'active_creator_count' | 'creator_months' | 'estimated_total_cents' | 'currency'
> & {
  /** The same at the end of the month, if protection stays as it is; null without a price. */
  readonly projected_total_cents: number | null;
};

/** Counts that the navigation and the overview show, because a person has to act. */
export interface AttentionAnswer {
  /** Endpoints whose attempts fail since their last success; null while the list is not complete. */
  readonly failing_endpoints: number | null;
  /** Refused or failed requests of the last 24 hours, at most 1,000. */
  readonly refused_requests: number;
}

export interface DayAnswer {
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
  readonly count: number;
}

export interface WarningAnswer {
  readonly kind: 'platform_unavailable' | 'key_ends' | 'endpoint_fails' | 'records_left_out';
  readonly message: string;
  /** The key or the endpoint. */
  readonly id: string | null;
  readonly at: number | null;
}

export interface OverviewAnswer {
  /** Null if the platform does not know the agency, or does not answer. */
  readonly agency: {
    readonly id: string;
    readonly name: string;
    readonly onboarding_complete: boolean;
    readonly kyc_status: 'approved' | 'pending' | 'rejected';
    readonly owner_user_id: string;
  } | null;
  readonly binding: {
    readonly state: 'unbound' | 'bound' | 'owner_changed';
    readonly epoch: number | null;
    /** The time of the first binding, which created the workspace. */
    readonly bound_at: number | null;
    /** The keys and endpoints that a binding to another owner revokes. */
    readonly revokes: { readonly keys: number; readonly endpoints: number };
  };
  readonly checklist: readonly StepAnswer[];
  readonly samples: CodeSamplesAnswer;
  readonly api_url: string;
  readonly capacity: CapacityAnswer | null;
  readonly usage: UsageAnswer | null;
  readonly events_by_day: readonly DayAnswer[];
  readonly warnings: readonly WarningAnswer[];
  /** Pending and failed deliveries of active endpoints, at most 1,000; null while the list is not complete. */
  readonly undelivered: number | null;
}

export interface LeftOutRecordAnswer {
  readonly kind: 'creator' | 'leak' | 'impersonation';
  /** Null for a record of the roster. */
  readonly creator_id: string | null;
  /** The platform's id; null for a record without a usable one. */
  readonly id: string | null;
  /** Names the field that breaks a limit or the contract. */
  readonly reason: string;
  readonly since: number;
  readonly remedy: string;
}

/** Platform records that the latest complete reading left out; they count as present. */
export interface LeftOutAnswer extends ListOf<LeftOutRecordAnswer> {
  /** The number of all records; `data` has the first of each list. */
  readonly count: number;
}
