import type { Instant, Published } from '#kernel';
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

/** Without the fields that only the platform knows. */
export const publicCreator = (creator: EnrolledCreator) => {
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
    simulated: false as const,
    scan_schedule_managed_by: 'api' as const,
    svc_subscription_managed_by: 'svc' as const,
    identity_sync_pending: isIdentitySyncPending(creator),
  };
};

export type PublicCreator = Published<ReturnType<typeof publicCreator>>;

/** With authorization, entitlement and eligibility as they are at `now`. */
export const fullPublicCreator = (creator: EnrolledCreator, now: Instant) => {
  const { authorization, entitlement } = creator.standing ?? NO_STANDING;
  const { approved, status, expiresAt } = authorizationAt(authorization, now);
  // D30: a missing authorization has no end.
  const end = creator.standing !== null && { expires_at: expiresAt };
  return {
    ...publicCreator(creator),
    authorization: { approved, ...(status !== null && { status }), ...end },
    entitlement: { active: entitlement.active, ...(entitlement.source !== null && { source: entitlement.source }) },
    eligible: isEligible(creator, now),
  };
};

export type FullPublicCreator = Published<ReturnType<typeof fullPublicCreator>>;
