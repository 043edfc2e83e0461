import type { AgencyId, CreatorId, Effect, RefusedRecord, UserId } from '#kernel';
import type { Invitee } from '../../domain/creator.state.js';
import type { IdentityChange } from '../../domain/identity/identity.js';
import type { NativeCapacity, NativeCreator, NativeInvitation } from '../../domain/native-records.js';

export interface PageRequest {
  readonly limit: number;
  readonly after?: UserId;
}

export interface RosterPage {
  readonly creators: readonly NativeCreator[];
  readonly refused: readonly RefusedRecord<UserId>[];
  readonly nextCursor: UserId | null;
}

export interface SlotPage {
  readonly slots: readonly { readonly userId: UserId; readonly fence: number }[];
  readonly nextCursor: UserId | null;
}

export interface InvitationRequest extends Invitee {
  /** The key of the call as well. */
  readonly reference: CreatorId;
  readonly displayName: string;
}

/**
 * The native platform as creators need it. Reads resolve to undefined if there is no such record for this agency, and
 * reject with a `provider_*` error when the platform fails.
 */
export abstract class CreatorPlatform {
  abstract getCapacity(agencyId: AgencyId): Promise<NativeCapacity>;
  /** Ordered by user id; at most 200 a page. */
  abstract listRoster(agencyId: AgencyId, page: PageRequest): Promise<RosterPage>;
  abstract getCreator(agencyId: AgencyId, userId: UserId): Promise<NativeCreator | undefined>;
  /** Sets the name, merges aliases and profiles. Refused with `not_found` for a user who is not a member. */
  abstract updateIdentity(agencyId: AgencyId, userId: UserId, change: IdentityChange): Promise<Effect<NativeCreator>>;
  /** Refused with `capacity_reached`, `invitation_rejected` or another code. */
  abstract invite(agencyId: AgencyId, request: InvitationRequest): Promise<Effect<NativeInvitation>>;
  abstract findInvitation(agencyId: AgencyId, reference: CreatorId): Promise<NativeInvitation | undefined>;
  abstract getInvitation(agencyId: AgencyId, invitationId: string): Promise<NativeInvitation | undefined>;
  /** Cancels, or detaches one who accepted. Refused with `creator_onboarding_completed` or `not_found`. */
  abstract withdrawInvitation(agencyId: AgencyId, invitationId: string): Promise<Effect<NativeInvitation>>;
  /** Refused with `capacity_reached`, `invitation_not_pending` or `not_found`. */
  abstract resendInvitation(
    agencyId: AgencyId,
    invitationId: string,
    resendId: string,
  ): Promise<Effect<NativeInvitation>>;
  /** The slots that this API holds, ordered by user id; undefined on a platform without this list. */
  abstract listSlots(agencyId: AgencyId, page: PageRequest): Promise<SlotPage | undefined>;
  /** Refused with `capacity_reached`, `not_found` or `stale_fence`. */
  abstract occupySlot(agencyId: AgencyId, userId: UserId, fence: number): Promise<Effect<void>>;
  /** Refused with `not_found` or `stale_fence`. */
  abstract releaseSlot(agencyId: AgencyId, userId: UserId, fence: number): Promise<Effect<void>>;
}
