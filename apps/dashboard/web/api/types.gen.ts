// Made by scripts/client-types.mjs from the OpenAPI document.

export type ClientOptions = {
    baseUrl: string;
};

export type SessionUser = {
    id: string;
    name: string | null;
};

export type Role = 'owner' | 'member' | 'operator' | 'auditor' | 'analyst';

export type Right = 'read' | 'bind' | 'manage_keys' | 'revoke_keys' | 'manage_endpoints' | 'disable_endpoints' | 'replay' | 'billing';

export type SessionAgency = {
    id: string;
    name: string;
};

export type SessionAnswer = {
    user: SessionUser;
    role: Role | null;
    rights: Array<Right>;
    agency: SessionAgency | null;
    agencies: Array<SessionAgency>;
    csrf_token: string;
    platform_available: boolean;
    expires_at: number;
};

export type DashboardCreator = {
    id: string;
    external_id: string;
    display_name: string;
    enrollment_status: string;
    protection_status: string;
    eligible: boolean;
    svc_user_id: string | null;
    created_at: number;
};

export type DashboardCreatorsAnswer = {
    data: Array<DashboardCreator>;
    next_cursor: string | null;
};

export type CreatorAuthorization = {
    approved: boolean;
    status?: string;
    expires_at?: string | null;
};

export type CasesOfStatus = {
    status_code: string;
    count: number;
};

export type DashboardCreatorAnswer = {
    id: string;
    external_id: string;
    display_name: string;
    enrollment_status: string;
    protection_status: string;
    eligible: boolean;
    svc_user_id: string | null;
    created_at: number;
    aliases: Array<string>;
    profile_urls: Array<string>;
    identity_sync_pending: boolean;
    authorization: CreatorAuthorization;
    entitlement_active: boolean;
    cases: Array<CasesOfStatus>;
    /** Whether there are more than the 2,000 cases that were counted. */
    has_more_cases: boolean;
};

export type TimelineEvent = {
    id: string;
    type: string;
    at: number;
    /** `key:<id>`, `user:<id>`, `process:<name>` or `operator:<name>`. */
    actor: string;
    request_id: string;
};

export type TimelineAnswer = {
    data: Array<TimelineEvent>;
    next_cursor: string | null;
};

export type ProtectionSwitch = {
    at: number;
    /** `key:<id>`, `user:<id>`, `process:<name>` or `operator:<name>`. */
    actor: string;
    request_id: string;
    event_id: string;
    /** The page of the creator's timeline that begins with the event. */
    timeline_cursor: string;
    reason: string;
};

export type ProtectionIntervalAnswer = {
    from: number;
    /** Null while it lasts. */
    to: number | null;
    opened_by: ProtectionSwitch;
    closed_by: ProtectionSwitch | null;
};

export type ProtectionIntervalsAnswer = {
    data: Array<ProtectionIntervalAnswer>;
};

export type DashboardScan = {
    id: string;
    status: string;
    source: string;
    created_at: number;
    finished_at: number | null;
    error_code: string | null;
};

export type DashboardScansAnswer = {
    data: Array<DashboardScan>;
    next_cursor: string | null;
};

export type DashboardDeindexRequest = {
    id: string;
    case_id: string;
    status: string;
    submitted_to_provider: boolean;
    removal_verified: boolean;
    created_at: number;
    updated_at: number;
    error_code: string | null;
};

export type DashboardDeindexRequestsAnswer = {
    data: Array<DashboardDeindexRequest>;
    next_cursor: string | null;
};

export type UsageTotals = {
    active_creator_count: number;
    creator_seconds: number;
    creator_months: number;
    estimated_subtotal_cents: number | null;
    minimum_monthly_cents: number | null;
    estimated_total_cents: number | null;
    currency: string;
};

export type UsageDay = {
    /** Milliseconds. */
    active: number;
    /** Its part of the subtotal before rounding, in minor units. */
    share_cents: string | null;
    /** A day in UTC, `YYYY-MM-DD`. */
    date: string;
    active_creators: number;
};

export type UsageMonthAnswer = {
    month: string;
    measured_through: string;
    per_creator_month_cents: number | null;
    totals: UsageTotals;
    /** Every day up to `measured_through`. */
    days: Array<UsageDay>;
    as_of_event_id: string | null;
    /** Whether later events were not counted yet. */
    is_behind: boolean;
    /** More than 50,000 intervals: the days are left out. The creators, the file and the statement have all of them. */
    is_too_large: boolean;
    is_bound: boolean;
};

export type UsageOfCreator = {
    /** Milliseconds. */
    active: number;
    /** Its part of the subtotal before rounding, in minor units. */
    share_cents: string | null;
    creator_id: string;
    /** Null where the agency can no longer see the creator. */
    display_name: string | null;
    creator_months: number;
    intervals: number;
};

export type UsageOfCreatorsAnswer = {
    data: Array<UsageOfCreator>;
    next_cursor: string | null;
};

export type UsageIntervalAnswer = {
    /** Milliseconds. */
    active: number;
    /** Its part of the subtotal before rounding, in minor units. */
    share_cents: string | null;
    opened_by: ProtectionSwitch;
    closed_by: ProtectionSwitch | null;
    /** Within the month. */
    from: number;
    /** Within the month, and not later than now. */
    to: number;
};

export type UsageIntervalsAnswer = {
    data: Array<UsageIntervalAnswer>;
};

export type UsageStatementAnswer = {
    month: string;
    state: 'pending' | 'made' | 'failed';
    /** The part of the log that has been read, from 0 to 1. */
    share: number;
    requested_at: number;
    /** Of the file, in bytes; 0 until it is made. */
    size: number;
    /** Until then it can be fetched. */
    expires_at: number | null;
};

export type UsageStatementsAnswer = {
    data: Array<UsageStatementAnswer>;
};

export type StatementBody = {
    month: string;
};

export type SearchAnswer = {
    /** The page below the address of the dashboard, such as `/creators/crt_…`; null where nothing has the id. */
    path: string | null;
};

export type AgencyAnswer = {
    id: string;
    name: string;
    onboarding_complete: boolean;
    kyc_status: 'approved' | 'pending' | 'rejected';
    owner_user_id: string;
};

export type RevokesAnswer = {
    keys: number;
    endpoints: number;
};

export type BindingStateAnswer = {
    state: 'unbound' | 'bound' | 'owner_changed';
    epoch: number | null;
    bound_at: number | null;
    revokes: RevokesAnswer;
};

export type StepAnswer = {
    step: 'verified' | 'bound' | 'key_issued' | 'first_call' | 'endpoint_registered' | 'first_delivery';
    done: boolean;
    /** Null while it is open, and always for `verified` and `first_call`: nobody records these times. That of `first_delivery` is of the earliest event that was delivered, and moves with its replay. */
    at: number | null;
};

export type CodeSamplesAnswer = {
    curl: string;
    typescript: string;
};

export type CapacityAnswer = {
    plan: string;
    total_slots: number;
    occupied_slots: number;
    reserved_slots: number;
    available_slots: number;
    overflow_slots: number;
};

export type UsageAnswer = {
    active_creator_count: number;
    creator_months: number;
    estimated_total_cents: number | null;
    currency: string;
    month: string;
};

export type DayAnswer = {
    day: string;
    count: number;
};

export type WarningAnswer = {
    kind: 'platform_unavailable' | 'key_ends' | 'endpoint_fails' | 'records_left_out';
    message: string;
    id: string | null;
    at: number | null;
};

export type OverviewAnswer = {
    agency: AgencyAnswer | null;
    binding: BindingStateAnswer;
    checklist: Array<StepAnswer>;
    samples: CodeSamplesAnswer;
    api_url: string;
    capacity: CapacityAnswer | null;
    usage: UsageAnswer | null;
    events_by_day: Array<DayAnswer>;
    warnings: Array<WarningAnswer>;
};

export type LeftOutRecordAnswer = {
    kind: 'creator' | 'leak' | 'impersonation';
    creator_id: string | null;
    id: string | null;
    reason: string;
    since: number;
    remedy: string;
};

export type LeftOutAnswer = {
    data: Array<LeftOutRecordAnswer>;
    count: number;
};

export type BindBody = {
    owner_user_id: string;
};

export type BindingAnswer = {
    agency_id: string;
    workspace_id: string;
    epoch: number;
    owner_user_id: string;
};

export type ListedKeyAnswer = {
    id: string;
    name: string | null;
    preset: 'read_only' | 'read_write';
    scopes: Array<string>;
    created_at: number;
    last_used_at: number | null;
    uses_recorded_since: number | null;
    calls_24h: number;
    calls_7d: number;
    expires_at: number | null;
    status: 'active' | 'expired' | 'revoked' | 'earlier_binding';
};

export type KeysAnswer = {
    data: Array<ListedKeyAnswer>;
    next_cursor: string | null;
};

export type CreateKeyBody = {
    name?: string;
    preset: 'read_only' | 'read_write';
    lifetime: '30d' | '90d' | 'none';
};

export type CreatedKeyAnswer = {
    id: string;
    scopes: Array<string>;
    expires_at: number | null;
    secret: string;
    samples: CodeSamplesAnswer;
};

export type RouteCallsAnswer = {
    route: string;
    calls: number;
};

export type KeyCallsAnswer = {
    data: Array<RouteCallsAnswer>;
};

export type RevokedKeyAnswer = {
    id: string;
    revoked_at: number | null;
};

export type ProblemAnswer = {
    field: string;
    rule: string;
};

export type RefusedRequestAnswer = {
    request_id: string;
    at: number;
    key_id: string;
    route: string;
    status: number;
    code: string | null;
    problems: Array<ProblemAnswer>;
    remedy: string;
};

export type RefusedGroupAnswer = {
    route: string;
    code: string | null;
    remedy: string;
    count: number;
    last_at: number;
};

export type RequestsAnswer = {
    data: Array<RefusedRequestAnswer>;
    next_cursor: string | null;
    groups: Array<RefusedGroupAnswer>;
    kept: number;
};

export type CallsAtAnswer = {
    at: number;
    calls: number;
};

export type CallsOfKeyAnswer = {
    key_id: string;
    calls: number;
};

export type CallsAnswer = {
    by: 'minute' | 'hour';
    data: Array<CallsAtAnswer>;
    keys: Array<CallsOfKeyAnswer>;
};

export type PaymentMethodAnswer = {
    id: string;
    kind: string;
    label: string;
    expires: string | null;
    is_default: boolean;
};

export type BillingAnswer = {
    offered: boolean;
    plan: string | null;
    subscription_status: string | null;
    payment_methods: Array<PaymentMethodAnswer>;
};

export type OpenBillingBody = {
    return_path: string;
};

export type BillingPageAnswer = {
    url: string;
    expires_at: number;
};

export type ListedEndpointAnswer = {
    id: string;
    url: string;
    types: Array<'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted'> | null;
    status: 'active' | 'disabled' | 'earlier_binding';
    created_at: number;
    disabled_reason: string | null;
    success_rate: number | null;
    latency_ms: number | null;
    pending: number;
    last_failure_at: number | null;
    disables_at: number | null;
};

export type EndpointsAnswer = {
    data: Array<ListedEndpointAnswer>;
    next_cursor: string | null;
};

export type RegisterEndpointBody = {
    url: string;
    types?: Array<'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted'> | null;
};

export type RegisteredEndpointAnswer = {
    id: string;
    url: string;
    created_at: number;
    secret: string;
    samples: CodeSamplesAnswer;
};

export type TestAnswer = {
    headers: {
        [key: string]: string;
    };
    body: string;
    status: number | null;
    ms: number | null;
    error: string | null;
};

export type RotateSecretBody = {
    overlap: '0' | '24h' | '7d';
};

export type RotatedSecretAnswer = {
    id: string;
    secret: string;
};

export type EndpointStatusAnswer = {
    id: string;
    status: 'active' | 'disabled';
};

export type ChooseTypesBody = {
    types: Array<'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted'> | null;
};

export type EndpointTypesAnswer = {
    id: string;
    types: Array<'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted'> | null;
};

export type SignatureCheckBody = {
    endpoint: string;
    headers: {
        [key: string]: string;
    };
    sha256: string;
};

export type SignatureCheckAnswer = {
    verdict: 'valid' | 'clock' | 'bytes' | 'older_secret' | 'unknown_secret';
    message: string;
};

export type ListedDeliveryAnswer = {
    id: string;
    endpoint_id: string;
    event_id: string;
    event_type: 'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted';
    creator_id: string;
    status: 'pending' | 'failed' | 'delivered';
    attempts: number;
    last_status: number | null;
    last_error: string | null;
    next_attempt_at: number | null;
    created_at: number;
};

export type DisabledSpanAnswer = {
    endpoint_id: string;
    from: number;
    to: number | null;
    count: number;
};

export type DeliveriesAnswer = {
    data: Array<ListedDeliveryAnswer>;
    next_cursor: string | null;
    searched_until: number | null;
    disabled_spans?: Array<DisabledSpanAnswer>;
};

export type DeliveryCountAnswer = {
    count: number;
    is_more: boolean;
};

export type AttemptAnswer = {
    sent_at: number;
    ms: number | null;
    status: number | null;
    error: string | null;
};

export type DeliveryAnswer = {
    id: string;
    endpoint_id: string;
    event_id: string;
    event_type: 'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted';
    creator_id: string;
    status: 'pending' | 'failed' | 'delivered';
    last_status: number | null;
    last_error: string | null;
    next_attempt_at: number | null;
    created_at: number;
    bytes: string;
    withheld: 'erased' | 'ended' | 'missing' | 'unreadable' | null;
    headers: {
        [key: string]: string;
    };
    attempts: Array<AttemptAnswer>;
};

export type ReplayedDeliveryAnswer = {
    id: string;
    status: 'pending' | 'failed' | 'delivered';
};

export type ListedEventAnswer = {
    id: string;
    type: 'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted';
    creator_id: string;
    created_at: number;
};

export type EventsAnswer = {
    data: Array<ListedEventAnswer>;
    next_cursor: string | null;
    searched_until: number | null;
};

export type EventCauseAnswer = {
    type: string;
    at: number;
    /** `key:<id>`, `user:<id>`, `process:<name>` or `operator:<name>`. */
    actor: string;
    request_id: string;
    event_id: string;
    stream: string;
};

export type EventAnswer = {
    id: string;
    type: 'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted';
    creator_id: string;
    created_at: number;
    bytes: string;
    withheld: 'erased' | 'ended' | 'missing' | 'unreadable' | null;
    published_at: number;
    cause: EventCauseAnswer | null;
    deliveries: Array<ListedDeliveryAnswer>;
};

export type RequestReplayBody = {
    type?: 'protection.activated' | 'protection.paused' | 'scan.completed' | 'scan.failed' | 'creator.updated' | 'case.created' | 'case.updated' | 'case.deleted' | 'deindex.status_changed' | 'impersonation.created' | 'impersonation.updated' | 'impersonation.deleted';
    status?: 'pending' | 'failed' | 'delivered';
    answer?: string;
    creator?: string;
    event?: string;
    from?: string;
    to?: string;
    tab?: 'all' | 'undelivered';
    endpoint: string;
};

export type ReplayAnswer = {
    id: string;
    endpoint_id: string;
    status: 'running' | 'ended';
    reason: 'completed' | 'ended_by_person' | 'endpoint_disabled' | 'access_revoked' | null;
    total: number;
    total_is_more: boolean;
    replayed: number;
    requested_at: number;
    ended_at: number | null;
};

export type ReplaysAnswer = {
    data: Array<ReplayAnswer>;
};
