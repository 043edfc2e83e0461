/** The specification's resources, written down here once more: the service's own types would agree with its mistakes. */
export interface Creator {
  readonly id: string;
  readonly workspace_id: string;
  readonly external_id: string;
  readonly display_name: string;
  readonly aliases: readonly string[];
  readonly profile_urls: readonly string[];
  readonly protection_status: string;
  readonly created_at: number;
  readonly enrollment_status: string;
  readonly svc_user_id: string | null;
  readonly invitation_id: string | null;
  readonly identity_sync_pending: boolean;
  readonly email_sent?: boolean;
}

export interface FullCreator extends Creator {
  readonly authorization: { readonly approved: boolean; readonly status?: string; readonly expires_at?: string | null };
  readonly entitlement: { readonly active: boolean; readonly source?: string };
  readonly eligible: boolean;
}

export interface Scan {
  readonly id: string;
  readonly creator_id: string;
  readonly status: string;
  readonly source: string;
  readonly created_at: number;
  readonly finished_at: number | null;
  readonly error_code: string | null;
  readonly svc_job_id: string | null;
}

export interface Case {
  readonly id: string;
  readonly scan_id: string | null;
  readonly creator_id: string;
  readonly status: string;
  readonly status_code: string;
  readonly url: string;
  readonly domain: string;
  readonly favicon_url: string | null;
  readonly created_at: number;
  readonly source: string;
  readonly leak_id: string;
  readonly updated_at: number;
  readonly actionable: boolean | null;
  readonly dead_on_arrival: boolean | null;
  readonly available: boolean;
  readonly api_deindex_supported: boolean;
}

export interface DeindexRequest {
  readonly id: string;
  readonly case_id: string;
  readonly creator_id: string;
  readonly provider: string;
  readonly status: string;
  readonly submitted_to_provider: boolean;
  readonly removal_verified: boolean;
  readonly created_at: number;
  readonly updated_at: number;
  readonly error_code: string | null;
}

export interface Activity {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: number;
  readonly timestamp_basis: string;
  readonly leak_id: string | null;
  readonly url: string | null;
  readonly status: string | null;
  readonly status_code: string | null;
}

export interface Impersonation {
  readonly id: string;
  readonly creator_id: string;
  readonly platform: string;
  readonly url: string;
  readonly username: string | null;
  readonly status: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly available: boolean;
}

export interface Event {
  readonly id: string;
  readonly type: string;
  readonly workspace_id: string;
  readonly created_at: number;
  readonly data: {
    readonly creator_id: string;
    readonly scan_id?: string;
    readonly case_id?: string;
    readonly svc_job_id?: string;
    readonly status?: string;
    readonly reason?: string;
    readonly scope?: string;
    readonly creator?: FullCreator;
    readonly case?: Case;
    readonly impersonation_id?: string;
    readonly impersonation?: Impersonation;
    readonly deindex_request_id?: string;
    readonly submitted_to_provider?: boolean;
    readonly removal_verified?: boolean;
  };
}

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

export interface Connection {
  readonly partner: { readonly id: string; readonly name: string; readonly kind: string };
  readonly workspace_id: string | null;
  readonly key_id: string | null;
  readonly scopes: readonly string[];
  readonly expires_at: number | null;
  readonly environment: string;
  readonly workspaces: readonly { readonly id: string; readonly external_id: string; readonly name: string }[];
  readonly engine_configured: boolean;
}
