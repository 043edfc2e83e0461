// x

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type EnrollCreatorBody = {
    workspace_id: string;
    external_id: string;
    display_name: string;
    aliases?: Array<string>;
    profile_urls?: Array<string>;
    svc_user_id?: string;
    email?: string;
    first_name?: string;
    last_name?: string;
    locale?: 'en' | 'fr';
};

export type UpdateCreatorBody = {
    display_name?: string;
    aliases?: Array<string>;
    profile_urls?: Array<string>;
};

export type SetProtectionBody = {
    status: 'active' | 'paused';
};

export type EmptyBody = {
    [key: string]: never;
};

export type RequestDeindexBody = {
    provider: 'search';
};

export type ReportImpersonationBody = {
    url: string;
};

export type Connection = {
    partner: {
        id: string;
        name: string;
        kind: 'agency';
    };
    workspace_id: string | null;
    key_id: string | null;
    scopes: Array<'workspaces:read' | 'creators:read' | 'scans:read' | 'cases:read' | 'usage:read' | 'events:read' | 'creators:write' | 'protection:write' | 'scans:write' | 'deindex:write'>;
    /**
     * Unix epoch milliseconds.
     */
    expires_at: number | null;
    environment: 'live';
    workspaces: Array<{
        id: string;
        external_id: string;
        name: string;
    }>;
    engine_configured: boolean;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
};

export type Workspace = {
    id: string;
    external_id: string;
    name: string;
    /**
     * Unix epoch milliseconds.
     */
    created_at: number;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
};

export type Creator = {
    id: string;
    workspace_id: string;
    external_id: string;
    display_name: string;
    aliases: Array<string>;
    profile_urls: Array<string>;
    protection_status: 'not_activated' | 'active' | 'paused';
    /**
     * Unix epoch milliseconds.
     */
    created_at: number;
    enrollment_status: 'enrolling' | 'invited' | 'pending_onboarding' | 'linked' | 'failed' | 'uncertain' | 'expired' | 'cancelled' | 'detached';
    svc_user_id: string | null;
    invitation_id: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
    scan_schedule_managed_by: 'api';
    svc_subscription_managed_by: 'svc';
    identity_sync_pending: boolean;
};

export type EnrolledCreator = {
    id: string;
    workspace_id: string;
    external_id: string;
    display_name: string;
    aliases: Array<string>;
    profile_urls: Array<string>;
    protection_status: 'not_activated' | 'active' | 'paused';
    /**
     * Unix epoch milliseconds.
     */
    created_at: number;
    enrollment_status: 'enrolling' | 'invited' | 'pending_onboarding' | 'linked' | 'failed' | 'uncertain' | 'expired' | 'cancelled' | 'detached';
    svc_user_id: string | null;
    invitation_id: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
    scan_schedule_managed_by: 'api';
    svc_subscription_managed_by: 'svc';
    identity_sync_pending: boolean;
    email_sent: boolean;
};

export type FullCreator = {
    id: string;
    workspace_id: string;
    external_id: string;
    display_name: string;
    aliases: Array<string>;
    profile_urls: Array<string>;
    protection_status: 'not_activated' | 'active' | 'paused';
    /**
     * Unix epoch milliseconds.
     */
    created_at: number;
    enrollment_status: 'enrolling' | 'invited' | 'pending_onboarding' | 'linked' | 'failed' | 'uncertain' | 'expired' | 'cancelled' | 'detached';
    svc_user_id: string | null;
    invitation_id: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
    scan_schedule_managed_by: 'api';
    svc_subscription_managed_by: 'svc';
    identity_sync_pending: boolean;
    authorization: {
        approved: boolean;
        status?: string;
        expires_at?: string | null;
    };
    entitlement: {
        active: boolean;
        source?: string;
    };
    eligible: boolean;
};

export type CreatorPage = {
    data: Array<FullCreator>;
    next_cursor: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
};

export type Scan = {
    id: string;
    creator_id: string;
    status: 'queued' | 'dispatching' | 'running' | 'uncertain' | 'completed' | 'failed' | 'cancelled';
    source: 'manual' | 'scheduled';
    /**
     * Unix epoch milliseconds.
     */
    created_at: number;
    /**
     * Unix epoch milliseconds.
     */
    finished_at: number | null;
    /**
     * x
     */
    error_code: string | null;
    svc_job_id: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
    /**
     * x
     */
    open2?: 'a' | 'b' | (string & {});
};

export type Case = {
    id: string;
    scan_id: string | null;
    creator_id: string;
    /**
     * The native wording, in any language.
     */
    status: string;
    status_code: 'detected' | 'reviewing' | 'notice_sent' | 'removed' | 'rejected' | 'ignored';
    url: string;
    domain: string;
    favicon_url: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
    /**
     * Unix epoch milliseconds.
     */
    created_at: number;
    source: 'svc' | 'api_scan';
    leak_id: string;
    /**
     * Unix epoch milliseconds.
     */
    updated_at: number;
    actionable: boolean | null;
    dead_on_arrival: boolean | null;
    available: boolean;
    api_deindex_supported: boolean;
};

export type CasePage = {
    data: Array<Case>;
    next_cursor: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
};

export type DeindexRequest = {
    id: string;
    case_id: string;
    creator_id: string;
    provider: 'search';
    status: 'queued' | 'dispatching' | 'uncertain' | 'submitted' | 'completed' | 'rejected' | 'failed' | 'cancelled';
    /**
     * The service runs in live mode only.
     */
    simulated: false;
    submitted_to_provider: boolean;
    removal_verified: boolean;
    /**
     * Unix epoch milliseconds.
     */
    created_at: number;
    /**
     * Unix epoch milliseconds.
     */
    updated_at: number;
    error_code: string | null;
};

export type Impersonation = {
    id: string;
    creator_id: string;
    platform: string;
    url: string;
    username: string | null;
    status: 'open' | 'reported' | 'removed' | 'rejected';
    /**
     * Unix epoch milliseconds.
     */
    created_at: number;
    /**
     * Unix epoch milliseconds.
     */
    updated_at: number;
    available: boolean;
};

export type ImpersonationPage = {
    data: Array<Impersonation>;
    next_cursor: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
};

export type ReportedImpersonation = {
    id: string;
    creator_id: string;
    platform: string;
    url: string;
    username: string | null;
    status: 'open' | 'reported' | 'removed' | 'rejected';
    /**
     * Unix epoch milliseconds.
     */
    created_at: number;
    /**
     * Unix epoch milliseconds.
     */
    updated_at: number;
    available: boolean;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
};

export type Activity = {
    id: string;
    type: 'leak.detected' | 'leak.status' | 'notice.sent' | 'leak.removed';
    /**
     * Unix epoch milliseconds.
     */
    occurred_at: number;
    /**
     * Whether it was recorded at that time, or is part of a record that was last updated then.
     */
    timestamp_basis: 'recorded' | 'record_updated';
    leak_id: string | null;
    url: string | null;
    status: string | null;
    status_code: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
};

export type ActivityPage = {
    data: Array<Activity>;
    next_cursor: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
};

export type Event = {
    id: string;
    type: 'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted';
    workspace_id: string;
    /**
     * Unix epoch milliseconds.
     */
    created_at: number;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
    data: {
        creator_id: string;
        scan_id?: string;
        case_id?: string;
        svc_job_id?: string;
        status?: string;
        reason?: string;
        scope?: 'api_scan_schedule';
        deindex_request_id?: string;
        submitted_to_provider?: boolean;
        removal_verified?: boolean;
        impersonation_id?: string;
        creator?: FullCreator;
        case?: Case;
        impersonation?: Impersonation;
    };
};

export type EventPage = {
    data: Array<Event>;
    next_cursor: string | null;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
};

export type Usage = {
    month: string;
    period_start: string;
    period_end: string;
    measured_through: string;
    active_creator_count: number;
    creator_seconds: number;
    creator_months: number;
    estimated_subtotal_cents: number | null;
    minimum_monthly_cents: number | null;
    estimated_total_cents: number | null;
    currency: 'EUR' | 'USD';
    estimate: true;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
    scope: 'agency';
    billing_basis: 'active_api_scan_schedule';
};

export type Capacity = {
    plan: string;
    subscription_status: string;
    protection_eligible: boolean;
    total_slots: number;
    occupied_slots: number;
    reserved_slots: number;
    available_slots: number;
    overflow_slots: number;
    api_included: boolean;
    checked_at: string;
    /**
     * The service runs in live mode only.
     */
    simulated: false;
};

export type Error = {
    error: {
        code: 'invalid_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'uri_too_long' | 'request_header_fields_too_large' | 'payload_too_large' | 'unsupported_media_type' | 'rate_limited' | 'scan_limit_reached' | 'agency_verification_unavailable' | 'agency_account_required' | 'agency_kyc_required' | 'agency_owner_changed' | 'agency_key_reissue_required' | 'svc_engine_not_configured' | 'creator_invitation_pending' | 'creator_not_eligible' | 'creator_rebinding_required' | 'creator_onboarding_completed' | 'external_id_conflict' | 'capacity_reached' | 'native_case_managed_by_svc' | 'scan_in_progress' | 'idempotency_conflict' | 'internal_error' | 'provider_invalid_response' | 'provider_unavailable' | 'provider_timeout';
        message: string;
        details?: Array<{
            field: string;
            message: string;
        }>;
    };
    request_id?: string;
};
