/** What this platform keeps, in the contract's own shapes where it answers with them. */
export interface Profile {
  platform: string;
  username: string;
  profile_id?: string | null;
}

export interface Creator {
  user_id: string;
  invitation_reference: string | null;
  display_name: string;
  aliases: string[];
  profiles: Profile[];
  is_staff: boolean;
  onboarding_complete: boolean;
  authorization: {
    approved: boolean;
    status?: 'approved' | 'pending' | 'rejected' | 'expired' | 'missing';
    expires_at?: string | null;
  };
  entitlement: { active: boolean; source?: 'agency_plan' | 'creator_subscription' | 'none' };
  updated_at: number;
}

export interface Invitation {
  id: string;
  reference: string;
  status: 'pending' | 'accepted' | 'onboarded' | 'expired' | 'cancelled' | 'detached';
  user_id: string | null;
  email_sent: boolean;
  expires_at: number;
}

export interface Leak {
  leak_id: string;
  url: string;
  status: string;
  status_code: 'detected' | 'reviewing' | 'notice_sent' | 'removed' | 'rejected' | 'ignored';
  actionable: boolean | null;
  dead_on_arrival: boolean | null;
  created_at: number;
  updated_at: number;
  job_id: string | null;
}

export interface Impersonation {
  impersonation_id: string;
  platform: string;
  url: string;
  username: string | null;
  status: 'open' | 'reported' | 'removed' | 'rejected';
  created_at: number;
  updated_at: number;
  private_notes?: string;
  recipient_contact?: string;
}

export interface Activity {
  id: string;
  type: 'leak.detected' | 'leak.status' | 'notice.sent' | 'leak.removed';
  occurred_at: number;
  timestamp_basis: 'recorded' | 'record_updated';
  leak_id?: string | null;
  url?: string | null;
  status?: string | null;
  status_code?: string | null;
}

export interface ScanJob {
  job_id: string;
  reference: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  error_code: string | null;
  finished_at: number | null;
}

export interface DeindexSubmission {
  submission_id: string;
  reference: string;
  status: 'queued' | 'submitted' | 'removed' | 'rejected' | 'failed';
  submitted_to_provider: boolean;
  removal_verified: boolean;
  error_code: string | null;
  updated_at: number;
}

/** A creator with all that hangs on it; it all goes out of sight together. */
export interface Member {
  creator: Creator;
  /** Two holds on one slot: this API's, and the dashboard's. */
  heldByApi: boolean;
  heldByDashboard: boolean;
  leaks: Map<string, Leak>;
  impersonations: Map<string, Impersonation>;
  activity: Activity[];
}

export interface Invited {
  invitation: Invitation;
  display_name: string;
}

export interface PaymentMethod {
  id: string;
  kind: string;
  label: string;
  expires?: string | null;
  is_default: boolean;
}

export interface Agency {
  id: string;
  name: string;
  onboarding_complete: boolean;
  kyc_status: 'approved' | 'pending' | 'rejected';
  owner_user_id: string;
  plan: string;
  subscription_status: string;
  protection_eligible: boolean;
  total_slots: number;
  api_included: boolean;
  /** The status with which this platform says that it has no billing routes; undefined where it has them. */
  billingLacks?: 404 | 405 | 501;
  paymentMethods: PaymentMethod[];
  members: Map<string, Member>;
  invited: Map<string, Invited>;
  /** The highest fence of each user's slot, which outlives the membership. */
  fences: Map<string, number>;
}
