/** The contract's schemas, as `contracts/native-platform.openapi.yaml` states them. `*_at` is epoch milliseconds. */

type KycStatus = 'approved' | 'pending' | 'rejected';
export interface Agency {
  id: string;
  name: string;
  onboarding_complete: boolean;
  kyc_status: KycStatus;
  owner_user_id: string;
}

export interface Capacity {
  plan: string;
  subscription_status: string;
  protection_eligible: boolean;
  total_slots: number;
  occupied_slots: number;
  reserved_slots: number;
  api_included: boolean;
}

export interface PaymentMethod {
  id: string;
  kind: string;
  label: string;
  expires?: string | null;
  is_default: boolean;
}

export interface BillingSession {
  url: string;
  expires_at: number;
}

export interface Slot {
  user_id: string;
  fence: number;
}

export interface Profile {
  platform: string;
  username: string;
  profile_id?: string | null;
}

export type AuthorizationStatus = 'approved' | 'pending' | 'rejected' | 'expired' | 'missing';
export interface Authorization {
  approved: boolean;
  status?: AuthorizationStatus;
  expires_at?: string | null;
}

export type EntitlementSource = 'agency_plan' | 'creator_subscription' | 'none';
export interface Entitlement {
  active: boolean;
  source?: EntitlementSource;
}

export interface NativeCreator {
  user_id: string;
  invitation_reference: string | null;
  display_name: string;
  aliases: string[];
  profiles: Profile[];
  is_staff: boolean;
  onboarding_complete: boolean;
  authorization: Authorization;
  entitlement: Entitlement;
  updated_at: number;
}

type InvitationStatus = 'pending' | 'accepted' | 'onboarded' | 'expired' | 'cancelled' | 'detached';
export interface Invitation {
  id: string;
  reference: string;
  status: InvitationStatus;
  user_id: string | null;
  email_sent: boolean;
  expires_at: number;
}

export type LeakStatusCode = 'detected' | 'reviewing' | 'notice_sent' | 'removed' | 'rejected' | 'ignored';
export interface Leak {
  leak_id: string;
  url: string;
  status: string;
  status_code: LeakStatusCode;
  actionable: boolean | null;
  dead_on_arrival: boolean | null;
  created_at: number;
  updated_at: number;
  job_id: string | null;
}

type ImpersonationStatus = 'open' | 'reported' | 'removed' | 'rejected';
export interface Impersonation {
  impersonation_id: string;
  platform: string;
  url: string;
  username: string | null;
  status: ImpersonationStatus;
  created_at: number;
  updated_at: number;
  private_notes?: string;
  recipient_contact?: string;
}

export type ActivityType = 'leak.detected' | 'leak.status' | 'notice.sent' | 'leak.removed';
export interface Activity {
  id: string;
  type: ActivityType;
  occurred_at: number;
  timestamp_basis: 'recorded' | 'record_updated';
  leak_id?: string | null;
  url?: string | null;
  status?: string | null;
  status_code?: string | null;
}

type ScanJobStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
export interface ScanJob {
  job_id: string;
  reference: string;
  status: ScanJobStatus;
  error_code: string | null;
  finished_at: number | null;
}

type DeindexStatus = 'queued' | 'submitted' | 'removed' | 'rejected' | 'failed';
export interface DeindexSubmission {
  submission_id: string;
  reference: string;
  status: DeindexStatus;
  submitted_to_provider: boolean;
  removal_verified: boolean;
  error_code: string | null;
  updated_at: number;
}
