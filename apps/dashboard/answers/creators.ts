import type { PageOf } from './parts.js';

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

export interface ListedCreator extends DashboardCreator {
  /** Counting stops at 500. */
  readonly open_cases: number;
  readonly last_scan_at: number | null;
}

export interface CreatorsAnswer extends PageOf<ListedCreator> {
  /** Very many creators have the text, and only the first ones were read. */
  readonly is_cut_off: boolean;
  /** All that a creator may have. */
  readonly enrollment_statuses: readonly string[];
  readonly protection_statuses: readonly string[];
}

export interface DashboardCreatorAnswer extends DashboardCreator {
  readonly aliases: readonly string[];
  readonly profile_urls: readonly string[];
  readonly identity_sync_pending: boolean;
  readonly authorization: { readonly approved: boolean; readonly status?: string; readonly expires_at?: string | null };
  readonly entitlement_active: boolean;
  readonly cases: readonly { readonly status_code: string; readonly count: number }[];
  /** Counting stops at 2,000 cases. */
  readonly has_more_cases: boolean;
}

export interface DashboardCase {
  readonly id: string;
  readonly url: string;
  readonly site: string;
  /** `gone` while the platform does not show it. */
  readonly status: string;
  readonly source: 'api_scan' | 'svc';
  readonly first_seen_at: number;
  /** The latest one. */
  readonly deindex_request: DashboardDeindexRequest | null;
}

export interface TimelineEvent {
  readonly id: string;
  readonly type: string;
  readonly at: number;
  /** `key:<id>`, `user:<id>`, `process:<name>` or `operator:<name>`. */
  readonly actor: string;
  /** A person's name, or that of a key of the agency; null if there is none. */
  readonly actor_name: string | null;
  readonly request_id: string;
}

/** The event that began or ended an interval. */
export interface ProtectionSwitch extends Pick<TimelineEvent, 'at' | 'actor' | 'actor_name' | 'request_id'> {
  readonly event_id: string;
  /** The page of the creator's timeline that begins with the event. */
  readonly timeline_cursor: string;
  readonly reason: string;
}

export interface ProtectionIntervalAnswer {
  readonly id: string;
  readonly opened_by: ProtectionSwitch;
  /** Null while it lasts. */
  readonly closed_by: ProtectionSwitch | null;
}

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
