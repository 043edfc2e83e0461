import { type AgencyId, type CreatorId, type Instant, type Revision, renamedTypes, type UserId } from '#kernel';
import type { Identity, Invitee } from '../creator.state.js';

type Fact<Type extends string, Data extends object> = { readonly type: `roster.${Type}.v1`; readonly data: Data };

/** D111: what the clock showed at the beginning of an enrollment, if the roster's time was ahead of it. */
interface Begun {
  readonly begunAt?: Instant;
}

/** What a process needs to complete the enrollment after a crash between the two streams. */
export interface RosterAdmission extends Begun {
  readonly creatorId: CreatorId;
  readonly agencyId: AgencyId;
  readonly epoch: number;
  readonly via: 'link' | 'invitation' | 'import';
  readonly userId: UserId | null;
  /** The revision of its stream at the DELETE that ended its refused enrollment, if there was one (D25). */
  readonly endedAtRevision?: Revision;
  readonly personal: {
    readonly externalId: string;
    readonly fingerprint: string | null;
    readonly submitted: { readonly identity: Identity; readonly invitee: Invitee | null } | null;
  };
}

/** Why an enrollment is counted no more (D31). */
export type SeatReleaseReason = 'failed' | 'cancelled' | 'detached' | 'transferred';

export type RosterEvent =
  | Fact<'creatorAdmitted', RosterAdmission>
  | Fact<'externalIdReplaced', RosterAdmission>
  | Fact<'nativeUserLinked', { creatorId: CreatorId; userId: UserId }>
  /** The user that accepted the creator's invitation already is another creator, and remains that one (D74). */
  | Fact<'inviteeDetached', { creatorId: CreatorId; userId: UserId; keptBy: CreatorId }>
  | Fact<'creatorReleased', { creatorId: CreatorId; reason: SeatReleaseReason }>
  /** D72: keyed hashes of all external ids of the creator, and of the fingerprint of its enrollment. */
  | Fact<'creatorErased', { creatorId: CreatorId; externalIds: readonly string[]; fingerprint: string | null }>
  | Fact<'seatReservedAgain', { creatorId: CreatorId }>
  | Fact<'enrollmentRetried', Begun & { creatorId: CreatorId; revision: Revision }>;

/** Logs of builds up to 0.8 have the types on the left. */
export const rosterUpcasters = renamedTypes<RosterEvent['type']>({
  'roster.creatorTriedAgain.v1': 'roster.enrollmentRetried.v1',
  'roster.creatorReadmitted.v1': 'roster.seatReservedAgain.v1',
});
