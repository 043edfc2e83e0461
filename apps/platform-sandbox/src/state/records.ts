import type {
  Activity,
  Agency,
  DeindexSubmission,
  Impersonation,
  Invitation,
  Leak,
  NativeCreator,
  PaymentMethod,
  ScanJob,
} from '../contract/types.js';

/** What the sandbox keeps in addition to the contract's fields. */

export interface AgencyRecord extends Agency {
  plan: string;
  subscription_status: string;
  protection_eligible: boolean;
  total_slots: number;
  api_included: boolean;
  /** Absent in a state of an earlier version: offered. */
  billing_offered?: boolean;
  payment_methods?: PaymentMethod[];
  /** Slots that the dashboard holds for people who are no creators here. */
  dashboard_slots: number;
}

/** Somebody who can sign in at the sandbox's identity provider. */
export interface PersonRecord {
  id: string;
  name: string;
  /** What the list of people says of them. */
  title: string;
  agency_id: string | string[] | null;
  roles: string[];
}

export interface CreatorRecord extends NativeCreator {
  agency_id: string | null;
  archived: boolean;
}

/** A creator has at most one slot, whether this API or the dashboard occupies it. */
export interface SlotRecord {
  user_id: string;
  agency_id: string;
  api: boolean;
  dashboard: boolean;
}

/** The highest fence that was seen for the slot of a user in an agency. It stays when the slot goes. */
export interface FenceRecord {
  user_id: string;
  agency_id: string;
  fence: number;
}

export interface InvitationRecord extends Invitation {
  agency_id: string;
  email: string;
  display_name: string;
  /** Whom the mail addresses, and in which language. */
  invitee: Invitee;
}

export interface Invitee {
  first_name: string;
  last_name: string;
  locale: 'en' | 'fr';
}

interface OfUser {
  user_id: string;
}

export type LeakRecord = Leak & OfUser;
export type ImpersonationRecord = Impersonation & OfUser;
export type ActivityRecord = Activity & OfUser;

export interface Handle {
  platform: string;
  username: string;
  variants: string[];
}

export interface ScanJobRecord extends ScanJob {
  agency_id: string;
  user_id: string;
  handles: Handle[];
  /** False: moves only by a control. */
  auto: boolean;
  created_at: number;
  duration_ms: number;
}

export interface SubmissionRecord extends DeindexSubmission {
  agency_id: string;
  user_id: string;
  leak_id: string;
  url: string;
  /** Null: moves only by a control. */
  step_ms: number | null;
}

/** A hosted page for payment methods; its id is its only key. */
export interface BillingSessionRecord {
  id: string;
  agency_id: string;
  return_url: string;
  expires_at: number;
}

export interface RememberedRecord {
  operation: string;
  key: string;
  fingerprint: string;
  status: number;
  body: unknown;
}

export const EFFECT_KINDS = [
  'mails',
  'mails_by_invitation',
  'scan_jobs',
  'submissions',
  'impersonations',
  'slots',
  'identity_writes',
  'withdrawals',
] as const;
export type EffectKind = (typeof EFFECT_KINDS)[number];

/** How often each reference has had a real effect. */
export type Effects = Record<EffectKind, Record<string, number>>;

export interface EffectRecord {
  kind: EffectKind;
  reference: string;
  count: number;
}

export interface Settings {
  scan_duration_ms: number;
  scan_auto: boolean;
  leaks_per_handle: number;
  deindex_step_ms: number | null;
  email_accepted: boolean;
  /** Null: invitees are onboarded only by a control. */
  onboard_after_ms: number | null;
}
