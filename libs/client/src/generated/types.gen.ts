// Made by scripts/client-types.mjs from the OpenAPI document.

export type ClientOptions = {
    baseUrl: `${string}://{base_url}` | (string & {});
};

/** Either a link or an invitation. A link has `svc_user_id`, and none of `email`, `first_name`, `last_name` and `locale`. An invitation has `email`, `first_name` and `last_name`, and no `svc_user_id`; `locale` is optional. Texts must show something and have no control characters. */
export type EnrollCreatorBody = {
    /** The `workspace_id` of `GET /v1/me`. */
    workspace_id: string;
    /** Your own id of the creator, unique in the workspace. */
    external_id: string;
    /** The name that is searched for. */
    display_name: string;
    /** Pseudonyms, other spellings and usernames. They are added to those that the platform has. */
    aliases?: Array<string>;
    /** Official profiles on supported platforms. Put a username of another platform into `aliases`. */
    profile_urls?: Array<string>;
    /** The user of the platform to link. */
    svc_user_id?: string;
    /** One address, without a name or angle brackets. Required for an invitation, and refused together with `svc_user_id`. */
    email?: string;
    /** Required for an invitation, and refused together with `svc_user_id`. */
    first_name?: string;
    /** Required for an invitation, and refused together with `svc_user_id`. */
    last_name?: string;
    /** The language of the invitation; `en` by default. Only for an invitation. */
    locale?: 'en' | 'fr';
};

export type UpdateCreatorBody = {
    /** The new name. */
    display_name?: string;
    /** Pseudonyms, other spellings and usernames. They are added to those that the platform has. */
    aliases?: Array<string>;
    /** Official profiles on supported platforms. Put a username of another platform into `aliases`. */
    profile_urls?: Array<string>;
};

export type SetProtectionBody = {
    /** Whether scans are scheduled and time is metered. */
    status: 'active' | 'paused';
};

export type EmptyBody = {
    [key: string]: never;
};

export type RequestDeindexBody = {
    /** The one provider that is supported. */
    provider: 'search';
};

export type ReportImpersonationBody = {
    /** The address of the account, on a platform that is supported. */
    url: string;
};

export type Connection = {
    /** The agency. The name of the field is a legacy. */
    partner: {
        /** The platform's id of the agency. */
        id: string;
        name: string;
        kind: 'agency';
    };
    /** The one workspace of the key. */
    workspace_id: string | null;
    /** A reference to the key. It cannot authenticate. */
    key_id: string | null;
    scopes: Array<'workspaces:read' | 'creators:read' | 'scans:read' | 'cases:read' | 'usage:read' | 'events:read' | 'creators:write' | 'protection:write' | 'scans:write' | 'deindex:write' | (string & {})>;
    /** Unix epoch milliseconds; null for a key without an end. */
    expires_at: number | null;
    environment: 'live';
    /** The workspace of the key; empty for a key without `workspaces:read`. */
    workspaces: Array<{
        id: string;
        /** The platform's id of the agency. */
        external_id: string;
        name: string;
    }>;
    /** Whether scans can be queued. */
    engine_configured: boolean;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

export type Workspace = {
    id: string;
    /** The platform's id of the agency. */
    external_id: string;
    name: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

export type Creator = {
    id: string;
    workspace_id: string;
    /** The agency's own id of the creator; `svc:<uuid>` until the agency has given one. */
    external_id: string;
    display_name: string;
    /** Pseudonyms, other spellings and usernames. */
    aliases: Array<string>;
    /** Official profiles on supported platforms. */
    profile_urls: Array<string>;
    /** Whether scans are scheduled and time is metered. Enrollment and eligibility do not change it to `active`. */
    protection_status: 'not_activated' | 'active' | 'paused';
    /** Unix epoch milliseconds. */
    created_at: number;
    /** How far the enrollment is. Known values: `enrolling`, `invited`, `pending_onboarding`, `linked`, `failed`, `uncertain`, `expired`, `cancelled`, `detached`. More may follow. */
    enrollment_status: 'enrolling' | 'invited' | 'pending_onboarding' | 'linked' | 'failed' | 'uncertain' | 'expired' | 'cancelled' | 'detached' | (string & {});
    /** The linked user of the platform; null until onboarding is complete. */
    svc_user_id: string | null;
    invitation_id: string | null;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    scan_schedule_managed_by: 'api';
    svc_subscription_managed_by: 'svc';
    /** Whether an accepted invitation still needs legal onboarding before its names and profiles reach the platform. */
    identity_sync_pending: boolean;
    /** Whether the email provider accepted the invitation. Only in answers to an enrollment (201) and to a resent invitation. */
    email_sent?: boolean;
};

/** A creator with its mandate, entitlement and eligibility, as the platform has them now. */
export type FullCreator = {
    id: string;
    workspace_id: string;
    /** The agency's own id of the creator; `svc:<uuid>` until the agency has given one. */
    external_id: string;
    display_name: string;
    /** Pseudonyms, other spellings and usernames. */
    aliases: Array<string>;
    /** Official profiles on supported platforms. */
    profile_urls: Array<string>;
    /** Whether scans are scheduled and time is metered. Enrollment and eligibility do not change it to `active`. */
    protection_status: 'not_activated' | 'active' | 'paused';
    /** Unix epoch milliseconds. */
    created_at: number;
    /** How far the enrollment is. Known values: `enrolling`, `invited`, `pending_onboarding`, `linked`, `failed`, `uncertain`, `expired`, `cancelled`, `detached`. More may follow. */
    enrollment_status: 'enrolling' | 'invited' | 'pending_onboarding' | 'linked' | 'failed' | 'uncertain' | 'expired' | 'cancelled' | 'detached' | (string & {});
    /** The linked user of the platform; null until onboarding is complete. */
    svc_user_id: string | null;
    invitation_id: string | null;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    scan_schedule_managed_by: 'api';
    svc_subscription_managed_by: 'svc';
    /** Whether an accepted invitation still needs legal onboarding before its names and profiles reach the platform. */
    identity_sync_pending: boolean;
    /** The creator's mandate. */
    authorization: {
        approved: boolean;
        /** The state of the mandate. Known values: `approved`, `pending`, `rejected`, `expired`, `missing`. More may follow. */
        status?: 'approved' | 'pending' | 'rejected' | 'expired' | 'missing' | (string & {});
        /** ISO 8601; null for a mandate without an end. */
        expires_at?: string | null;
    };
    /** What pays for the protection. */
    entitlement: {
        active: boolean;
        /** Where the entitlement comes from. Known values: `agency_plan`, `creator_subscription`, `none`. More may follow. */
        source?: 'agency_plan' | 'creator_subscription' | 'none' | (string & {});
    };
    /** Whether protection may be activated now: a current member, onboarded, with an approved mandate and an entitlement. */
    eligible: boolean;
};

export type CreatorPage = {
    data: Array<FullCreator>;
    /** The `after` of the next page; null on the last page. It is opaque. */
    next_cursor: string | null;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

export type Capacity = {
    plan: string;
    subscription_status: string;
    protection_eligible: boolean;
    total_slots: number;
    occupied_slots: number;
    /** Slots of pending invitations. */
    reserved_slots: number;
    available_slots: number;
    /** Slots that are used beyond the total. */
    overflow_slots: number;
    api_included: boolean;
    checked_at: string;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

export type Scan = {
    id: string;
    creator_id: string;
    /** In `dispatching` and `uncertain` the service finds out what the engine did; do not replace the scan by another. */
    status: 'queued' | 'dispatching' | 'running' | 'uncertain' | 'completed' | 'failed' | 'cancelled';
    source: 'manual' | 'scheduled';
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Unix epoch milliseconds; null while the scan is pending. */
    finished_at: number | null;
    /** Why the scan failed or was cancelled; engines have their own codes too. Known values: `engine_rejected`, `nothing_to_scan`, `outcome_unknown`, `protection_paused`, `personal_data_erased`. More may follow. */
    error_code: 'engine_rejected' | 'nothing_to_scan' | 'outcome_unknown' | 'protection_paused' | 'personal_data_erased' | (string & {}) | null;
    /** The engine's id of the work. */
    svc_job_id: string | null;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

/** A finding: content of a creator at a place where it should not be. */
export type Case = {
    id: string;
    /** The API scan that found it; null for a native finding. */
    scan_id: string | null;
    creator_id: string;
    /** The platform's wording, in any language. It is no confirmation that the content is gone. */
    status: string;
    /** The status in stable English. Known values: `detected`, `reviewing`, `notice_sent`, `removed`, `rejected`, `ignored`. More may follow. */
    status_code: 'detected' | 'reviewing' | 'notice_sent' | 'removed' | 'rejected' | 'ignored' | (string & {});
    /** Where the content was found. */
    url: string;
    /** The host of `url`; empty where it has none. */
    domain: string;
    /** An icon of an outside service. Show something else where it is not available. */
    favicon_url: string | null;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** `api_scan` where a scan of this API found it. */
    source: 'svc' | 'api_scan';
    /** The platform's id. It is not used in paths. */
    leak_id: string;
    /** Unix epoch milliseconds. */
    updated_at: number;
    /** Whether something can be done about it; null if it was not observed yet. */
    actionable: boolean | null;
    /** Whether the content was gone when it was found; null if it was not observed yet. */
    dead_on_arrival: boolean | null;
    /** Whether the platform still lists the finding. */
    available: boolean;
    /** Whether a deindex request is possible. */
    api_deindex_supported: boolean;
};

export type CasePage = {
    data: Array<Case>;
    /** The `after` of the next page; null on the last page. It is opaque. */
    next_cursor: string | null;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

export type Activity = {
    id: string;
    /** `notice.sent` is no receipt of an inbox. Known values: `leak.detected`, `leak.status`, `notice.sent`, `leak.removed`. More may follow. */
    type: 'leak.detected' | 'leak.status' | 'notice.sent' | 'leak.removed' | (string & {});
    /** Unix epoch milliseconds. */
    occurred_at: number;
    /** Whether it was recorded at that time, or is part of a record that was last updated then. Known values: `recorded`, `record_updated`. More may follow. */
    timestamp_basis: 'recorded' | 'record_updated' | (string & {});
    leak_id: string | null;
    url: string | null;
    /** The platform's wording, in any language. */
    status: string | null;
    /** The status in stable English, as in a case. */
    status_code: string | null;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

export type ActivityPage = {
    data: Array<Activity>;
    /** The `after` of the next page; null on the last page. It is opaque. */
    next_cursor: string | null;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

export type DeindexRequest = {
    id: string;
    case_id: string;
    creator_id: string;
    provider: 'search';
    /** `queued` means neither submitted nor removed. Known values: `queued`, `dispatching`, `uncertain`, `submitted`, `completed`, `rejected`, `failed`, `cancelled`. More may follow. */
    status: 'queued' | 'dispatching' | 'uncertain' | 'submitted' | 'completed' | 'rejected' | 'failed' | 'cancelled' | (string & {});
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    /** What the provider says; an accepted request alone does not set it. */
    submitted_to_provider: boolean;
    /** What the provider says; an accepted request alone does not set it. */
    removal_verified: boolean;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Unix epoch milliseconds. */
    updated_at: number;
    /** Why it failed; the provider has its own codes too. Known values: `outcome_unknown`, `membership_ended`, `personal_data_erased`. More may follow. */
    error_code: 'outcome_unknown' | 'membership_ended' | 'personal_data_erased' | (string & {}) | null;
};

/** An account that pretends to be the creator. Private notes and recipients of notices are left out. */
export type Impersonation = {
    id: string;
    creator_id: string;
    platform: string;
    url: string;
    username: string | null;
    /** How far the report is. Known values: `open`, `reported`, `removed`, `rejected`. More may follow. */
    status: 'open' | 'reported' | 'removed' | 'rejected' | (string & {});
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Unix epoch milliseconds. */
    updated_at: number;
    /** Whether the platform still lists the account. */
    available: boolean;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

/** An impersonation as an event shows it. Events of earlier versions do not have `simulated`. */
export type PublishedImpersonation = {
    id: string;
    creator_id: string;
    platform: string;
    url: string;
    username: string | null;
    /** How far the report is. Known values: `open`, `reported`, `removed`, `rejected`. More may follow. */
    status: 'open' | 'reported' | 'removed' | 'rejected' | (string & {});
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Unix epoch milliseconds. */
    updated_at: number;
    /** Whether the platform still lists the account. */
    available: boolean;
    /** Always `false`: the service runs in live mode only. */
    simulated?: boolean;
};

export type ImpersonationPage = {
    data: Array<Impersonation>;
    /** The `after` of the next page; null on the last page. It is opaque. */
    next_cursor: string | null;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

export type Usage = {
    /** A UTC month, such as `2026-11`. */
    month: string;
    period_start: string;
    period_end: string;
    /** The time up to which usage is in these figures. */
    measured_through: string;
    /** Creators with any active time in the period. */
    active_creator_count: number;
    creator_seconds: number;
    /** To six decimals. */
    creator_months: number;
    /** In minor units; null where no price is configured. */
    estimated_subtotal_cents: number | null;
    /** In minor units; null where no price is configured. */
    minimum_monthly_cents: number | null;
    /** In minor units; null where no price is configured. */
    estimated_total_cents: number | null;
    currency: 'EUR' | 'USD';
    /** Always `true`: this is no invoice. */
    estimate: boolean;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    scope: 'agency';
    billing_basis: 'active_api_scan_schedule';
};

/** An event of the feed. Which members `data` has depends on its type; see the webhooks of the same names. */
export type Event = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    /** What happened. Known values: `protection.activated`, `protection.paused`, `scan.completed`, `scan.failed`, `creator.updated`, `case.created`, `case.updated`, `case.deleted`, `deindex.status_changed`, `impersonation.created`, `impersonation.updated`, `impersonation.deleted`. More may follow. */
    type: 'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted' | (string & {});
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        /** The new status of what the event is about. */
        status?: string;
        scope?: 'api_scan_schedule';
        /** Why it happened. */
        reason?: string;
        /** Only where an API scan found it. */
        scan_id?: string;
        /** The engine's id of the work. */
        svc_job_id?: string;
        creator?: FullCreator;
        case_id?: string;
        case?: Case;
        deindex_request_id?: string;
        submitted_to_provider?: boolean;
        removal_verified?: boolean;
        impersonation_id?: string;
        impersonation?: PublishedImpersonation;
    };
};

export type EventPage = {
    data: Array<Event>;
    /** The `after` of the next page; null on the last page. It is opaque. */
    next_cursor: string | null;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
};

export type ProtectionActivatedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'protection.activated';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        /** The new state of the protection. Known values: `active`, `paused`. More may follow. */
        status: 'active' | 'paused' | (string & {});
        scope: 'api_scan_schedule';
        /** Why it changed. Known values: `api_request`, `creator_removed`, `membership_ended`, `slot_lost`. More may follow. */
        reason: 'api_request' | 'creator_removed' | 'membership_ended' | 'slot_lost' | (string & {});
    };
};

export type ProtectionPausedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'protection.paused';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        /** The new state of the protection. Known values: `active`, `paused`. More may follow. */
        status: 'active' | 'paused' | (string & {});
        scope: 'api_scan_schedule';
        /** Why it changed. Known values: `api_request`, `creator_removed`, `membership_ended`, `slot_lost`. More may follow. */
        reason: 'api_request' | 'creator_removed' | 'membership_ended' | 'slot_lost' | (string & {});
    };
};

export type ScanCompletedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'scan.completed';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        scan_id: string;
        /** The engine's id of the work. */
        svc_job_id?: string;
    };
};

export type ScanFailedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'scan.failed';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        scan_id: string;
        /** The engine's id of the work. */
        svc_job_id?: string;
        /** The status of the scan. Known values: `failed`. More may follow. */
        status: 'failed' | (string & {});
        /** Why the scan failed or was cancelled; engines have their own codes too. Known values: `engine_rejected`, `nothing_to_scan`, `outcome_unknown`, `protection_paused`, `personal_data_erased`. More may follow. */
        reason?: 'engine_rejected' | 'nothing_to_scan' | 'outcome_unknown' | 'protection_paused' | 'personal_data_erased' | (string & {});
    };
};

export type CreatorUpdatedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'creator.updated';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        creator: FullCreator;
    };
};

export type CaseCreatedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'case.created';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        case_id: string;
        /** Only where an API scan found it. */
        scan_id?: string;
        /** The platform's wording, in any language. */
        status: string;
        case?: Case;
    };
};

export type CaseUpdatedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'case.updated';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        case_id: string;
        /** Only where an API scan found it. */
        scan_id?: string;
        /** The platform's wording, in any language. */
        status: string;
        case: Case;
    };
};

export type CaseDeletedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'case.deleted';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        case_id: string;
    };
};

export type DeindexStatusChangedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'deindex.status_changed';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        case_id: string;
        deindex_request_id: string;
        /** The new status of the request. Known values: `queued`, `dispatching`, `uncertain`, `submitted`, `completed`, `rejected`, `failed`, `cancelled`. More may follow. */
        status: 'queued' | 'dispatching' | 'uncertain' | 'submitted' | 'completed' | 'rejected' | 'failed' | 'cancelled' | (string & {});
        submitted_to_provider: boolean;
        removal_verified: boolean;
    };
};

export type ImpersonationCreatedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'impersonation.created';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        impersonation_id: string;
        /** How far the report is. Known values: `open`, `reported`, `removed`, `rejected`. More may follow. */
        status: 'open' | 'reported' | 'removed' | 'rejected' | (string & {});
        impersonation: PublishedImpersonation;
    };
};

export type ImpersonationUpdatedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'impersonation.updated';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        impersonation_id: string;
        /** How far the report is. Known values: `open`, `reported`, `removed`, `rejected`. More may follow. */
        status: 'open' | 'reported' | 'removed' | 'rejected' | (string & {});
        impersonation: PublishedImpersonation;
    };
};

export type ImpersonationDeletedEvent = {
    /** The same in the feed, in each delivery, and in `X-SVC-Event-ID`. */
    id: string;
    type: 'impersonation.deleted';
    workspace_id: string;
    /** Unix epoch milliseconds. */
    created_at: number;
    /** Always `false`: the service runs in live mode only. */
    simulated: boolean;
    data: {
        creator_id: string;
        impersonation_id: string;
    };
};

export type Error = {
    error: {
        /** The cause, for programs. Known values: `invalid_request`, `unauthorized`, `forbidden`, `not_found`, `method_not_allowed`, `request_timeout`, `uri_too_long`, `request_header_fields_too_large`, `payload_too_large`, `unsupported_media_type`, `rate_limited`, `scan_limit_reached`, `agency_verification_unavailable`, `agency_account_required`, `agency_kyc_required`, `agency_owner_changed`, `agency_key_reissue_required`, `svc_engine_not_configured`, `creator_invitation_pending`, `creator_not_eligible`, `creator_rebinding_required`, `creator_onboarding_completed`, `external_id_conflict`, `capacity_reached`, `native_case_managed_by_svc`, `scan_in_progress`, `idempotency_conflict`, `internal_error`, `provider_invalid_response`, `provider_unavailable`, `provider_timeout`. More may follow. */
        code: 'invalid_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'uri_too_long' | 'request_header_fields_too_large' | 'payload_too_large' | 'unsupported_media_type' | 'rate_limited' | 'scan_limit_reached' | 'agency_verification_unavailable' | 'agency_account_required' | 'agency_kyc_required' | 'agency_owner_changed' | 'agency_key_reissue_required' | 'svc_engine_not_configured' | 'creator_invitation_pending' | 'creator_not_eligible' | 'creator_rebinding_required' | 'creator_onboarding_completed' | 'external_id_conflict' | 'capacity_reached' | 'native_case_managed_by_svc' | 'scan_in_progress' | 'idempotency_conflict' | 'internal_error' | 'provider_invalid_response' | 'provider_unavailable' | 'provider_timeout' | (string & {});
        /** The cause, for people. Its wording may change. */
        message: string;
        /** The wrong fields of an `invalid_request`, at most 20. */
        details?: Array<{
            /** The wrong field; an item of a list by its index, such as `aliases[3]`. */
            field: string;
            /** What is wrong with it, and what would be accepted. */
            message: string;
        }>;
    };
    /** Names the request in our logs. */
    request_id?: string;
};
