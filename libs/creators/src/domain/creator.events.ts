import {
  type AgencyId,
  type CreatorId,
  type Instant,
  renamedTypes,
  type Upcaster,
  type UserId,
  type WorkspaceId,
} from '#kernel';
import type { Authorization, Entitlement, Identity, Invitee } from './creator.state.js';

export interface Enrolled {
  readonly creatorId: CreatorId;
  readonly workspaceId: WorkspaceId;
  readonly agencyId: AgencyId;
  readonly epoch: number;
}

type Fact<Type extends string, Data extends object = Record<string, never>, Version extends number = 1> = {
  readonly type: `creator.${Type}.v${Version}`;
  readonly data: Data;
};

/** Each list: the first `kept…` entries of the one before, then those in `personal`; whole ones make streams too long. */
export interface IdentityObserved {
  readonly keptAliases: number;
  readonly keptProfiles: number;
  readonly personal: {
    readonly displayName: string | null;
    readonly aliases: Identity['aliases'];
    readonly profiles: Identity['profiles'];
  };
}

/** Why protection changed (D43). */
export type ProtectionReason = 'api_request' | 'creator_removed' | 'membership_ended' | 'slot_lost';

export type AbandonReason = 'capacity_reached' | 'unsettled' | 'paused' | 'not_found';

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
  | Fact<'resendReserved', { resendId: string; reservedAt?: Instant }>
  | Fact<'resendReleased', { resendId: string }>
  | Fact<'invitationAccepted'>
  | Fact<'invitationExpired'>
  /** The platform knew no such invitation. After a second lookup in a row the invitation is withdrawn (D76). */
  | Fact<'invitationNotFound'>
  | Fact<'invitationFound'>
  | Fact<'invitationWithdrawn', { as: 'cancelled' | 'detached' }>
  | Fact<'onboarded', { userId: UserId }>
  | Fact<'identityObserved', IdentityObserved, 2>
  | Fact<'standingObserved', { onboardingComplete: boolean; authorization: Authorization; entitlement: Entitlement }>
  /** The authorization's end has passed by the clock (D40). */
  | Fact<'authorizationLapsed'>
  | Fact<'rebound', { epoch: number }>
  | Fact<'activationRequested', { activationId: string }>
  | Fact<'activationAbandoned', { activationId: string; reason: AbandonReason }>
  | Fact<'protectionActivated', { activationId: string; reason: ProtectionReason }>
  /** `pausedAt`, as `reservedAt`: what the clock showed, if that was before the stream's last event (D93). */
  | Fact<'protectionPaused', { reason: ProtectionReason; pausedAt?: Instant }>
  /** Logs of earlier builds have `mayBeRepeat`, which no longer means anything. */
  | Fact<'slotReleased', { mayBeRepeat?: true }>
  /** The slot of an active creator that was missing is to be occupied again; the creator is shown when that is done (D77). */
  | Fact<'slotReoccupationRequested'>
  | Fact<'slotReoccupied'>
  /** The platform has seen a higher fence than this log has, which was restored from a backup (D90). */
  | Fact<'slotFenceRaised', { fence: number }>
  | Fact<'memberNotFound'>
  | Fact<'memberFound'>
  | Fact<'membershipEnded'>
  | Fact<'returned'>
  /** The creator's key is destroyed, or is about to be. From this point nothing about the creator is observed. */
  | Fact<'personalDataErased'>
  /** The key is destroyed: what a process drops now, no process can read again. */
  | Fact<'personalKeyDestroyed'>;

/** Version 1 of an observation had the whole identity. */
const identityObservedV1 = {
  from: 'creator.identityObserved.v1',
  to: 'creator.identityObserved.v2' satisfies CreatorEvent['type'],
  upcast: (data: object): IdentityObserved => {
    const { personal, ...others } = data as { readonly personal: { readonly identity: Identity } };
    return { ...others, keptAliases: 0, keptProfiles: 0, personal: personal.identity };
  },
};

/** Logs of builds up to 0.8 have the types on the left. */
export const creatorUpcasters: readonly Upcaster[] = [
  identityObservedV1,
  ...renamedTypes<CreatorEvent['type']>({
    'creator.missing.v1': 'creator.memberNotFound.v1',
    'creator.found.v1': 'creator.memberFound.v1',
  }),
];
