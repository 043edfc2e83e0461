import type {
  Activity,
  Agency,
  Capacity,
  DeindexSubmission,
  Impersonation,
  Invitation,
  Leak,
  NativeCreator,
  PaymentMethod,
  ScanJob,
} from '../contract/types.js';

/** The sandbox's records: the contract's fields and its own. */

export interface AgencyRecord extends Agency, Omit<Capacity, 'occupied_slots' | 'reserved_slots'> {
  /** Absent in the state of an earlier version, which means offered. */
  billing_offered?: boolean;
  payment_methods?: PaymentMethod[];
  /** Slots that the dashboard holds for people who are not creators here. */
  dashboard_slots: number;
}

/** Somebody who can sign in at the sandbox's identity provider. */
export interface PersonRecord {
  id: string;
  name: string;
  /** Shown in the list of people. */
  title: string;
  agency_id: string | string[] | null;
  roles: string[];
}

export interface CreatorRecord extends NativeCreator {
  agency_id: string | null;
  archived: boolean;
}

/**
 * The slot of a creator in an agency. It counts once, whether this API, the dashboard or both occupy it. The record
 * stays when nobody holds the slot, because of its fence.
 */
export interface SlotRecord {
  user_id: string;
  agency_id: string;
  api: boolean;
  dashboard: boolean;
  /** The highest fence that was seen, or 0. */
  fence: number;
}

export interface InvitationRecord extends Invitation {
  agency_id: string;
  email: string;
  display_name: string;
  /** The addressee of the mail, and its language. */
  invitee: { first_name: string; last_name: string; locale: 'en' | 'fr' };
}

export type LeakRecord = Leak & { user_id: string };
export type ImpersonationRecord = Impersonation & { user_id: string };
export type ActivityRecord = Activity & { user_id: string };

export interface ScanJobRecord extends ScanJob {
  agency_id: string;
  user_id: string;
  handles: { platform: string; username: string; variants: string[] }[];
  /** False: only a control advances it. */
  auto: boolean;
  created_at: number;
  duration_ms: number;
}

export interface SubmissionRecord extends DeindexSubmission {
  agency_id: string;
  user_id: string;
  leak_id: string;
  url: string;
  /** Null: only a control advances it. */
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
  /** Null: only a control onboards invitees. */
  onboard_after_ms: number | null;
  /** The names of receivers of webhooks that answer 503; all others take what they get. */
  failing_receivers: string[];
}
