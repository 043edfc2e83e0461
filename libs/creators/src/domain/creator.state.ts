import { type AgencyId, type CreatorId, DomainError, type Instant, type UserId, type WorkspaceId } from '#kernel';
import type { Profile } from './profile-url.js';

export interface Identity {
  readonly displayName: string;
  readonly aliases: readonly string[];
  readonly profiles: readonly Profile[];
}

export interface Authorization {
  readonly approved: boolean;
  readonly status: string | null;
  /** ISO 8601, or null for one that does not expire (D11). */
  readonly expiresAt: string | null;
}

export interface Entitlement {
  readonly active: boolean;
  readonly source: string | null;
}

/** Decides eligibility (D40). */
export interface Standing {
  readonly onboardingComplete: boolean;
  readonly authorization: Authorization;
  readonly entitlement: Entitlement;
}

export interface Invitee {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: 'en' | 'fr';
}

/** How far the creator's link to a native user has progressed (D29). */
export type Enrollment =
  | { readonly status: 'enrolling' | 'uncertain'; readonly via: 'link' }
  | {
      readonly status: 'enrolling' | 'uncertain';
      readonly via: 'invitation';
      /** When the intent of its call was recorded. */
      readonly calledAt: Instant;
      readonly since: Instant;
    }
  /** D28: a creator that is not admitted keeps only the reservation of its external id. */
  | { readonly status: 'failed' | 'not_admitted'; readonly via: 'invitation' }
  | {
      readonly status: 'invited' | 'pending_onboarding' | 'expired' | 'cancelled' | 'detached';
      readonly via: 'invitation';
      readonly expiresAt: Instant;
    }
  | { readonly status: 'linked'; readonly via: 'link' | 'invitation' | 'import' };

/** The API schedule. */
export type Protection =
  | { readonly status: 'not_activated' }
  /** `wasPaused`: it was active before, so that a scan may have been queued before a pause (D79). */
  | { readonly status: 'active'; readonly since: Instant; readonly wasPaused: boolean }
  | { readonly status: 'paused' };

/** The slot at the platform (D90). */
export interface Slot {
  readonly isWanted: boolean;
  /** Raised by each change of `isWanted`: the platform applies no call with a lower one than it has seen. */
  readonly fence: number;
  /** Whether the platform has confirmed it. A missing creator needs no confirmation until it is seen again. */
  readonly isConfirmed: boolean;
  readonly activation: { readonly id: string; readonly since: Instant } | null;
}

/** D43: a first 404 hides the creator, a second one ends its membership. An erased creator does not return. */
export type Membership =
  | { readonly status: 'current' }
  | { readonly status: 'missing'; readonly since: Instant }
  | { readonly status: 'ended' }
  | { readonly status: 'erased'; readonly keyDestroyed: boolean };

/** A resend of the invitation, which was sent or may have been. */
export interface ResendReservation {
  readonly resendId: string;
  readonly at: Instant;
}

export interface EnrolledCreator {
  readonly status: 'known';
  readonly creatorId: CreatorId;
  readonly workspaceId: WorkspaceId;
  readonly agencyId: AgencyId;
  readonly externalId: string;
  readonly createdAt: Instant;
  /** The binding under which it was enrolled or last seen in the roster (D21). */
  readonly epoch: number;
  readonly enrollment: Enrollment;
  readonly invitee: Invitee | null;
  readonly invitationId: string | null;
  /** The platform did not know the invitation when it was last asked (D76). */
  readonly isInvitationMissing: boolean;
  /** Those that still counted at the time of the latest one (D39). */
  readonly resends: readonly ResendReservation[];
  readonly userId: UserId | null;
  readonly identity: Identity;
  readonly identityToWrite: Identity | null;
  /** Null until a native user has been seen. */
  readonly standing: Standing | null;
  /** The end of that authorization has passed, and this was recorded (D40). */
  readonly hasLapsed: boolean;
  readonly membership: Membership;
  readonly protection: Protection;
  readonly slot: Slot;
}

export type CreatorState = { readonly status: 'unknown' } | EnrolledCreator;

export type WithUser = EnrolledCreator & { readonly userId: UserId };

export const isWithUser = (state: CreatorState): state is WithUser => state.status === 'known' && state.userId !== null;

/** D30: the standing that a creator without a native user is shown with. */
export const NO_STANDING: Standing = {
  onboardingComplete: false,
  authorization: { approved: false, status: 'missing', expiresAt: null },
  entitlement: { active: false, source: 'none' },
};

/** When the authorization ends by the clock; null if it does not expire. */
export const authorizationEnd = ({ approved, expiresAt }: Authorization): Instant | null => {
  if (!approved || expiresAt === null) return null;
  const end = Date.parse(expiresAt);
  return Number.isNaN(end) ? null : end;
};

/** D40: the authorization at a moment; one whose end has passed is no longer approved. */
export const authorizationAt = (authorization: Authorization, now: Instant): Authorization => {
  const end = authorizationEnd(authorization);
  if (end === null || now < end) return authorization;
  return { ...authorization, approved: false, status: 'expired' };
};

/** D40: a current member, onboarded, with a valid authorization and an active entitlement. */
export const isEligible = (creator: EnrolledCreator, now: Instant): boolean =>
  creator.membership.status === 'current' &&
  creator.standing !== null &&
  creator.standing.onboardingComplete &&
  authorizationAt(creator.standing.authorization, now).approved &&
  creator.standing.entitlement.active;

/** D9, D28, D43: whether the agency can see the creator at all. */
export const isAccessible = (state: CreatorState): state is EnrolledCreator =>
  state.status === 'known' && state.membership.status === 'current' && state.enrollment.status !== 'not_admitted';

export const assertAccessible = (state: CreatorState): EnrolledCreator => {
  if (!isAccessible(state)) throw new DomainError('not_found');
  return state;
};

/** D21, D9: the first check of every write to a creator. */
export function requireWritable(creator: EnrolledCreator, epoch: number): void {
  if (creator.epoch < epoch) throw new DomainError('creator_rebinding_required');
}

export const assertEnrolled = (state: CreatorState): EnrolledCreator => {
  if (state.status === 'unknown') throw new Error('an enrolled creator is known');
  return state;
};

/** Whether its membership has ended. A missing creator has not left yet. */
export const hasLeft = ({ membership }: EnrolledCreator): boolean =>
  membership.status === 'ended' || membership.status === 'erased';

/** Whether its personal data was destroyed, so that nothing is left to show. */
export const isErased = (state: CreatorState): boolean =>
  state.status === 'known' && state.membership.status === 'erased';

/** D25: the platform refused its invitation, so it never had one, and DELETE ended the enrollment. */
export const isRefusedAndRemoved = (state: CreatorState): boolean =>
  state.status === 'known' &&
  state.enrollment.status === 'cancelled' &&
  state.invitationId === null &&
  !isErased(state);

/** D28: a refusal for lack of capacity keeps only the reservation of the external id. */
export const refusalStatus = (code: string): 'not_admitted' | 'failed' =>
  code === 'capacity_reached' ? 'not_admitted' : 'failed';
