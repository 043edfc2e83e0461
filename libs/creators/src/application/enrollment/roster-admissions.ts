import { Injectable } from '@nestjs/common';
import { Clock, type CommandContext, type CreatorId, DomainError, newId, type UserId } from '#kernel';
import { type Invitee, isErased, isRefusedAndRemoved } from '../../domain/creator.state.js';
import type { EnrollmentRequest, Invite, LinkEnrollment } from '../../domain/enrollment/enrollment-requests.js';
import {
  admit,
  type EndedEnrollment,
  type EnrollmentKeys,
  enrolledBefore,
} from '../../domain/enrollment/roster-admission.js';
import { digestOf, type RosterEntry } from '../../domain/enrollment/roster-entry.js';
import { refuseErased } from '../../domain/enrollment/roster-erasure.js';
import { reserveSeatForRetry } from '../../domain/enrollment/roster-seats.js';
import { keptIdentity, requireFit } from '../../domain/identity/identity.js';
import { ErasureHashes } from '../../domain/membership/erasure-hashes.js';
import type { NativeCreator } from '../../domain/native-creator.js';
import { CreatorRepository } from '../access/creator.repository.js';
import type { AgencyScope } from '../access/creator-access.js';
import { CreatorPlatform } from '../access/creator-platform.js';
import { Invitees } from '../access/invitees.js';
import type { LoadedCreator } from '../access/loaded-creator.js';
import { type LoadedRoster, RosterRepository } from '../access/roster.repository.js';
import { InvitationMails, type ReservedMail } from './invitation-mails.js';

/** The creator that holds the request's external id: a new one, or the one of an earlier try. */
export interface Admitted {
  readonly creatorId: CreatorId;
  /** Undefined where the creator has a stream, or may have one. */
  readonly begun: LoadedCreator | undefined;
  readonly roster: LoadedRoster;
  readonly isNew: boolean;
}

export interface AdmittedInvitee extends Admitted {
  /** Undefined for a repeat. */
  readonly mail: ReservedMail | undefined;
}

export interface UserToLink {
  readonly request: LinkEnrollment;
  readonly native: NativeCreator;
  readonly earlier: LoadedCreator | undefined;
}

interface SeatRequest extends EnrollmentRequest {
  readonly via: 'link' | 'invitation';
  readonly userId: UserId | null;
  readonly invitee: Invitee | null;
}

@Injectable()
export class RosterAdmissions {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly rosters: RosterRepository,
    private readonly invitees: Invitees,
    private readonly platform: CreatorPlatform,
    private readonly hashes: ErasureHashes,
    private readonly mails: InvitationMails,
    private readonly clock: Clock,
  ) {}

  async admitUser(
    scope: AgencyScope,
    loaded: LoadedRoster,
    { request, native, earlier }: UserToLink,
    context: CommandContext,
  ): Promise<Admitted> {
    const { userId, identity } = request;
    refuseErased(loaded.state, { userId, hashes: this.hashes.of(scope.workspaceId, request) });
    // D83: a user whose data was erased can't be enrolled, under a new external id either, and nothing is recorded of it.
    const isUsers = earlier !== undefined && loaded.state.byUser.get(userId) === earlier.id;
    if (isUsers && isErased(earlier.state)) throw new DomainError('not_found');
    const roster = await this.invitees.recognize(native, loaded, context);
    const seat: SeatRequest = { ...request, via: 'link', invitee: null };
    const keys = await this.keysOf(scope, roster, seat);
    const before = admittedBefore(roster, keys);
    if (before !== undefined) return before;
    requireFit(keptIdentity(native.identity), identity);
    // An invited user without an API record belongs to the dashboard until it is onboarded.
    if (!native.onboardingComplete) throw new DomainError('creator_invitation_pending');
    return this.reserveSeat(scope, roster, { seat, keys }, context);
  }

  async admitInvitee(
    scope: AgencyScope,
    roster: LoadedRoster,
    request: Invite,
    context: CommandContext,
  ): Promise<AdmittedInvitee> {
    const seat: SeatRequest = { ...request, via: 'invitation', userId: null };
    const keys = await this.keysOf(scope, roster, seat);
    const before = admittedBefore(roster, keys);
    if (before !== undefined) return { ...before, mail: undefined };
    const mail = await this.reserveMail(scope, request, false);
    return { ...(await mail.during(() => this.reserveSeat(scope, roster, { seat, keys }, context))), mail };
  }

  /** D88: of the enrollment's invitation; `callsAgain` where the platform may have been called for it. */
  reserveMail(
    { workspaceId }: AgencyScope,
    { externalId, invitee }: Invite,
    callsAgain: boolean,
  ): Promise<ReservedMail> {
    const reference = this.hashes.externalId(workspaceId, externalId);
    return this.mails.reserve({ workspaceId, email: invitee.email, reference, isResend: false, callsAgain });
  }

  /** D31: what failed was counted no more, and needs a seat again before it is tried again. */
  async reserveSeatForRetry(
    { agencyId }: AgencyScope,
    loaded: LoadedRoster,
    { id: creatorId, revision }: LoadedCreator,
    context: CommandContext,
  ): Promise<void> {
    const { totalSlots } = await this.platform.getCapacity(agencyId);
    await this.rosters.update(loaded, context, (roster) =>
      reserveSeatForRetry(roster, creatorId, revision, totalSlots, this.clock.now()),
    );
  }

  private async keysOf(
    { workspaceId }: AgencyScope,
    roster: LoadedRoster,
    { externalId, fingerprint, userId }: SeatRequest,
  ): Promise<EnrollmentKeys> {
    const hashes = this.hashes.of(workspaceId, { externalId, fingerprint });
    const holder = roster.state.creators.get(roster.state.byExternalId.get(digestOf(externalId)) ?? ('' as CreatorId));
    const isAnother = holder !== undefined && holder.fingerprint !== digestOf(fingerprint);
    return { externalId, fingerprint, userId, hashes, ended: isAnother ? await this.ended(holder) : undefined };
  }

  private async ended({ creatorId, fingerprint }: RosterEntry): Promise<EndedEnrollment | undefined> {
    const { state, revision } = await this.repository.load(creatorId);
    return isRefusedAndRemoved(state) ? { creatorId, fingerprint, revision } : undefined;
  }

  private async reserveSeat(
    { agencyId, epoch }: AgencyScope,
    roster: LoadedRoster,
    { seat, keys }: { readonly seat: SeatRequest; readonly keys: EnrollmentKeys },
    context: CommandContext,
  ): Promise<Admitted> {
    const { via, userId, externalId, fingerprint, identity, invitee } = seat;
    const { totalSlots } = await this.platform.getCapacity(agencyId);
    const personal = { externalId, fingerprint, submitted: { identity, invitee } };
    const admission = { creatorId: newId('creator'), agencyId, epoch, via, userId, personal };
    const admitted = await this.rosters.update(roster, context, (current) =>
      admit(current, admission, totalSlots, keys, this.clock.now()),
    );
    const creatorId = admitted.state.byExternalId.get(digestOf(externalId));
    if (creatorId === undefined) throw new Error('an admitted creator holds its external id');
    // Of an id that was made just now there is no event.
    const begun = creatorId === admission.creatorId ? this.repository.assumeNew(creatorId) : undefined;
    return { creatorId, begun, roster: admitted, isNew: admitted.events.length > 0 };
  }
}

const admittedBefore = (roster: LoadedRoster, keys: EnrollmentKeys): Admitted | undefined => {
  const creatorId = enrolledBefore(roster.state, keys);
  return creatorId === undefined ? undefined : { creatorId, begun: undefined, roster, isNew: false };
};
