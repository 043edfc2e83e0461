import type { Instant } from '#kernel';
import { authorizationAt, type EnrolledCreator, isEligible, NO_STANDING } from '../domain/creator.state.js';
import { isIdentitySyncPending, shownIdentity } from '../domain/identity/identity.js';
import { profileUrl } from '../domain/profile-url.js';

/** `detached` and the others that nobody invited can read as show that an enrollment has ended. */
export const ENROLLMENT_STATUSES = [
  'enrolling',
  'invited',
  'pending_onboarding',
  'linked',
  'failed',
  'uncertain',
  'expired',
  'cancelled',
  'detached',
] as const satisfies readonly EnrolledCreator['enrollment']['status'][];

export const PROTECTION_STATUSES = [
  'not_activated',
  'active',
  'paused',
] as const satisfies readonly EnrolledCreator['protection']['status'][];

/** The Creator as agencies see it, without the fields that only the platform knows. */
export interface PublicCreator {
  readonly id: string;
  readonly workspace_id: string;
  readonly external_id: string;
  readonly display_name: string;
  readonly aliases: readonly string[];
  readonly profile_urls: readonly string[];
  readonly protection_status: 'not_activated' | 'active' | 'paused';
  readonly created_at: Instant;
  readonly enrollment_status: EnrolledCreator['enrollment']['status'];
  readonly svc_user_id: string | null;
  readonly invitation_id: string | null;
  readonly simulated: false;
  readonly scan_schedule_managed_by: 'api';
  readonly svc_subscription_managed_by: 'svc';
  readonly identity_sync_pending: boolean;
}

export interface FullPublicCreator extends PublicCreator {
  readonly authorization: { readonly approved: boolean; readonly status?: string; readonly expires_at?: string | null };
  readonly entitlement: { readonly active: boolean; readonly source?: string };
  readonly eligible: boolean;
}

export const publicCreator = (creator: EnrolledCreator): PublicCreator => {
  const identity = shownIdentity(creator);
  return {
    id: creator.creatorId,
    workspace_id: creator.workspaceId,
    external_id: creator.externalId,
    display_name: identity.displayName,
    aliases: identity.aliases,
    profile_urls: identity.profiles.map(profileUrl).filter((url) => url !== undefined),
    protection_status: creator.protection.status,
    created_at: creator.createdAt,
    enrollment_status: creator.enrollment.status,
    svc_user_id: creator.userId,
    invitation_id: creator.invitationId,
    simulated: false,
    scan_schedule_managed_by: 'api',
    svc_subscription_managed_by: 'svc',
    identity_sync_pending: isIdentitySyncPending(creator),
  };
};

/** With mandate, entitlement and eligibility as they are at `now`. */
export const fullPublicCreator = (creator: EnrolledCreator, now: Instant): FullPublicCreator => {
  const { authorization, entitlement } = creator.standing ?? NO_STANDING;
  const { approved, status, expiresAt } = authorizationAt(authorization, now);
  // D30: a mandate that is missing has no end.
  const end = creator.standing !== null && { expires_at: expiresAt };
  return {
    ...publicCreator(creator),
    authorization: { approved, ...(status !== null && { status }), ...end },
    entitlement: { active: entitlement.active, ...(entitlement.source !== null && { source: entitlement.source }) },
    eligible: isEligible(creator, now),
  };
};
