/** The answers of `/dashboard/api`. Times are epoch milliseconds. */

export type Role = 'owner' | 'member' | 'operator' | 'auditor' | 'analyst';
export type Right =
  | 'read'
  | 'bind'
  | 'manage_keys'
  | 'revoke_keys'
  | 'manage_endpoints'
  | 'disable_endpoints'
  | 'replay'
  | 'billing';

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Session {
  readonly user: { readonly id: string; readonly name: string | null };
  readonly role: Role | null;
  readonly rights: readonly Right[];
  readonly agency: Named | null;
  readonly agencies: readonly Named[];
  readonly csrf_token: string;
  readonly platform_available: boolean;
  readonly expires_at: number;
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export type Preset = 'read_only' | 'read_write';
export type Lifetime = '30d' | '90d' | 'none';

export interface ApiKey {
  readonly id: string;
  readonly name: string | null;
  readonly preset: Preset;
  readonly scopes: readonly string[];
  readonly created_at: number;
  readonly last_used_at: number | null;
  /** Uses before this were not recorded. */
  readonly uses_recorded_since: number | null;
  readonly calls_24h: number;
  readonly calls_7d: number;
  readonly expires_at: number | null;
  readonly status: 'active' | 'expired' | 'revoked' | 'earlier_binding';
}

export interface KeySettings {
  readonly name: string;
  readonly preset: Preset;
  readonly lifetime: Lifetime;
}

export interface IssuedKey {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly expires_at: number | null;
}

export interface RouteCalls {
  readonly route: string;
  readonly calls: number;
}

export type ChecklistStep =
  | 'verified'
  | 'bound'
  | 'key_issued'
  | 'first_call'
  | 'endpoint_registered'
  | 'first_delivery';

export interface Overview {
  readonly agency: {
    readonly id: string;
    readonly name: string | null;
    readonly onboarding_complete: boolean;
    readonly kyc_status: string;
    readonly owner_user_id: string;
  } | null;
  readonly binding: {
    readonly state: 'unbound' | 'bound' | 'owner_changed';
    readonly epoch: number | null;
    readonly bound_at: number | null;
    readonly revokes: { readonly keys: number; readonly endpoints: number };
  };
  readonly checklist: readonly { readonly step: ChecklistStep; readonly done: boolean; readonly at: number | null }[];
  readonly curl: string;
  readonly api_url: string;
  readonly capacity: Capacity | null;
  readonly usage: Usage | null;
  readonly events_by_day: readonly DayCount[];
  readonly warnings: readonly { readonly kind: string; readonly message: string }[];
}

export interface DayCount {
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
  readonly count: number;
}

export interface Capacity {
  readonly plan: string | null;
  readonly total_slots: number;
  readonly occupied_slots: number;
  readonly reserved_slots: number;
  readonly available_slots: number;
  readonly overflow_slots: number;
}

export interface Usage {
  readonly month: string;
  readonly active_creator_count: number;
  readonly creator_months: number;
  readonly estimated_total_cents: number | null;
  readonly currency: string;
}

export interface Billing {
  readonly offered: boolean;
  readonly plan: string | null;
  readonly payment_methods: readonly {
    readonly id: string;
    readonly kind: string;
    readonly label: string;
    /** `YYYY-MM`. */
    readonly expires: string | null;
    readonly is_default: boolean;
  }[];
}

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  /** Null: all, new ones included. */
  readonly types: readonly string[] | null;
  readonly status: 'active' | 'disabled' | 'earlier_binding';
  readonly created_at: number;
  readonly disabled_reason: string | null;
  /** Of the attempts of 7 days, between 0 and 1. */
  readonly success_rate: number | null;
  readonly latency_ms: number | null;
  readonly pending: number;
  readonly last_failure_at: number | null;
  readonly disables_at: number | null;
}

export interface SendResult {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number | null;
  readonly ms: number | null;
  readonly error: string | null;
}

export interface SignatureVerdict {
  readonly verdict: 'valid' | 'clock' | 'bytes' | 'older_secret' | 'unknown_secret';
  /** Begins with the verdict in words. */
  readonly message: string;
}

export interface DeliverySummary {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly creator_id: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly next_attempt_at: number | null;
  readonly created_at: number;
}

export interface DisabledSpan {
  readonly endpoint_id: string;
  readonly from: number;
  /** Null while it lasts. */
  readonly to: number | null;
  readonly count: number;
}

export interface DeliveryPage extends Page<DeliverySummary> {
  /** Where the search was cut. */
  readonly searched_until?: number | null;
  readonly disabled_spans?: readonly DisabledSpan[];
}

export interface Attempt {
  readonly sent_at: number;
  readonly ms: number | null;
  readonly status: number | null;
  readonly error: string | null;
}

export interface Delivery extends Omit<DeliverySummary, 'attempts'> {
  /** Empty where they may not be seen; `withheld` says why. */
  readonly bytes: string;
  readonly withheld: 'erased' | 'ended' | 'missing' | 'unreadable' | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attempts: readonly Attempt[];
}

export interface RefusedRequest {
  readonly request_id: string;
  readonly at: number;
  readonly key_id: string;
  readonly route: string;
  readonly status: number;
  readonly code: string | null;
  readonly problems: readonly { readonly field: string; readonly rule: string }[];
  readonly remedy: string;
}

export interface RefusedGroup {
  readonly code: string | null;
  readonly route: string;
  readonly count: number;
  readonly last_at: number;
  readonly remedy: string;
}

export interface Requests extends Page<RefusedRequest> {
  readonly groups: readonly RefusedGroup[];
  /** At most so many are kept. */
  readonly kept: number;
}

export type CallStep = 'hour' | 'minute';

export interface CallsAt {
  readonly at: number;
  readonly calls: number;
}

export interface Calls {
  readonly by: CallStep;
  /** Times without calls are left out. */
  readonly data: readonly CallsAt[];
  readonly keys: readonly { readonly key_id: string; readonly calls: number }[];
}
