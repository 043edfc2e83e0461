import { type AgencyId, type CreatorId, type Instant, renamedTypes, type UserId, type WorkspaceId } from '#kernel';
import type { Authorization, Entitlement, Identity, Invitee } from './creator.state.js';

interface Enrolled {
  readonly creatorId: CreatorId;
  readonly workspaceId: WorkspaceId;
  readonly agencyId: AgencyId;
  readonly epoch: number;
}

type Fact<Type extends string, Data extends object = Record<string, never>> = {
  readonly type: `creator.${Type}.v1`;
  readonly data: Data;
};

/** Who or what changed protection (D43). */
export type ProtectionReason = 'api_request' | 'creator_removed' | 'membership_ended' | 'slot_lost';

export type CreatorEvent =
  | Fact<'enrolledByLink', Enrolled & { userId: UserId; personal: { externalId: string; identity: Identity } }>
  | Fact<'enrolledByInvitation', Enrolled & { personal: { externalId: string; identity: Identity; invitee: Invitee } }>
  | Fact<'imported', Enrolled & { userId: UserId; personal: { externalId: string } }>
  /** The agency enrolled an imported creator, under an external id of its choice. */
  | Fact<'importLinked', { epoch: number; personal: { externalId: string; identity: Identity } }>
  | Fact<'identityWritten'>
  | Fact<'identityWriteUnknown'>
  | Fact<'invitationSent', { invitationId: string; emailSent: boolean; expiresAt: Instant }>
  | Fact<'invitationRefused', { code: string }>
  | Fact<'invitationUnknown'>
  | Fact<'invitationResent', { emailSent: boolean; expiresAt: Instant }>
  /** One of the resends that D39 allows. It is reserved before the mail is sent, and released if none was sent. */
  | Fact<'resendReserved', { resendId: string }>
  | Fact<'resendReleased', { resendId: string }>
  | Fact<'invitationAccepted'>
  | Fact<'invitationExpired'>
  /** The platform knew no such invitation. After a second look-up in a row the invitation is withdrawn (D76). */
  | Fact<'invitationNotFound'>
  | Fact<'invitationFound'>
  | Fact<'invitationWithdrawn', { as: 'cancelled' | 'detached' }>
  | Fact<'onboarded', { userId: UserId }>
  | Fact<'identityObserved', { personal: { identity: Identity } }>
  | Fact<'standingObserved', { onboardingComplete: boolean; authorization: Authorization; entitlement: Entitlement }>
  /** The mandate's end has passed by the clock (D40). */
  | Fact<'authorizationLapsed'>
  | Fact<'rebound', { epoch: number }>
  | Fact<'activationRequested', { activationId: string }>
  | Fact<
      'activationAbandoned',
      { activationId: string; reason: 'capacity_reached' | 'unsettled' | 'paused' | 'not_found' }
    >
  | Fact<'protectionActivated', { activationId: string; reason: ProtectionReason }>
  | Fact<'protectionPaused', { reason: ProtectionReason }>
  | Fact<'slotReleased'>
  /** An active creator that was missing is seen again. It is shown when its slot is occupied again (D77). */
  | Fact<'slotReoccupationRequested'>
  | Fact<'slotReoccupied'>
  | Fact<'memberNotFound'>
  | Fact<'memberFound'>
  | Fact<'membershipEnded'>
  | Fact<'returned'>
  /** The creator's key is destroyed, or is about to be. From here on nothing of the creator is observed. */
  | Fact<'personalDataErased'>
  /** The key is destroyed: what a process drops now, no process can read again. */
  | Fact<'personalKeyDestroyed'>;

/** Logs of builds up to 0.8 have the types on the left. */
export const creatorUpcasters = renamedTypes<CreatorEvent['type']>({
  'creator.missing.v1': 'creator.memberNotFound.v1',
  'creator.found.v1': 'creator.memberFound.v1',
});
