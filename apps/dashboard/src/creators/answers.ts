import type { ListOf, PageOf } from '../answers.js';

export interface DashboardCreator {
  readonly id: string;
  readonly external_id: string;
  readonly display_name: string;
  readonly enrollment_status: string;
  readonly protection_status: string;
  readonly eligible: boolean;
  readonly svc_user_id: string | null;
  readonly created_at: number;
}

export type DashboardCreatorsAnswer = PageOf<DashboardCreator>;

/** One creator, as the platform shows it now. */
export interface DashboardCreatorAnswer extends DashboardCreator {
  readonly aliases: readonly string[];
  readonly profile_urls: readonly string[];
  readonly identity_sync_pending: boolean;
  readonly authorization: {
    readonly approved: boolean;
    readonly status?: string;
    readonly expires_at?: string | null;
  };
  readonly entitlement_active: boolean;
  readonly cases: readonly { readonly status_code: string; readonly count: number }[];
  /** Whether there are more than the 2,000 cases that were counted. */
  readonly has_more_cases: boolean;
}

export interface TimelineEvent {
  readonly id: string;
  readonly type: string;
  readonly at: number;
  /** `key:<id>`, `user:<id>`, `process:<name>` or `operator:<name>`. */
  readonly actor: string;
  /** The request from which it followed. */
  readonly request_id: string;
}

export type TimelineAnswer = PageOf<TimelineEvent>;

/** The event that began or ended an interval. */
export interface ProtectionSwitch extends Pick<TimelineEvent, 'at' | 'actor' | 'request_id'> {
  readonly event_id: string;
  /** The page of the creator's timeline that begins with the event. */
  readonly timeline_cursor: string;
  readonly reason: string;
}

export interface ProtectionIntervalAnswer {
  readonly from: number;
  /** Null while it lasts. */
  readonly to: number | null;
  readonly opened_by: ProtectionSwitch;
  readonly closed_by: ProtectionSwitch | null;
}

/** The latest 100, newest first. */
export type ProtectionIntervalsAnswer = ListOf<ProtectionIntervalAnswer>;

export interface DashboardScan {
  readonly id: string;
  readonly status: string;
  readonly source: string;
  readonly created_at: number;
  readonly finished_at: number | null;
  readonly error_code: string | null;
}

export interface DashboardDeindexRequest {
  readonly id: string;
  readonly case_id: string;
  readonly status: string;
  readonly submitted_to_provider: boolean;
  readonly removal_verified: boolean;
  readonly created_at: number;
  readonly updated_at: number;
  readonly error_code: string | null;
}
