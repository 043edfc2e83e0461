import type { CodeSamplesAnswer, ListOf } from '../answers.js';
import type { UsageTotals } from '../usage/answers.js';

export interface StepAnswer {
  readonly step: 'verified' | 'bound' | 'key_issued' | 'first_call' | 'endpoint_registered' | 'first_delivery';
  readonly done: boolean;
  /**
   * Null while it is open, and always for `verified` and `first_call`: nobody records these times. That of
   * `first_delivery` is of the earliest event that was delivered, and moves with its replay.
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
>;

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

/** How far an agency's connection to the API is, and what happens on it. */
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
    /** The first binding, which made the workspace. */
    readonly bound_at: number | null;
    /** How many keys and endpoints stop working when the agency is bound to another owner. */
    readonly revokes: { readonly keys: number; readonly endpoints: number };
  };
  readonly checklist: readonly StepAnswer[];
  readonly samples: CodeSamplesAnswer;
  readonly api_url: string;
  readonly capacity: CapacityAnswer | null;
  readonly usage: UsageAnswer | null;
  readonly events_by_day: readonly DayAnswer[];
  readonly warnings: readonly WarningAnswer[];
}

export interface LeftOutRecordAnswer {
  readonly kind: 'creator' | 'leak' | 'impersonation';
  /** Null for a record of the roster. */
  readonly creator_id: string | null;
  /** The platform's; null for a record without a usable one. */
  readonly id: string | null;
  /** Names the field that breaks a bound or the contract. */
  readonly reason: string;
  readonly since: number;
  /** Says what the platform has to repair. */
  readonly remedy: string;
}

/** Records of the platform that the latest complete reading left out; they count as present. */
export interface LeftOutAnswer extends ListOf<LeftOutRecordAnswer> {
  /** How many there are; the first of each list are shown. */
  readonly count: number;
}
