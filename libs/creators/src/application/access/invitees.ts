import { Injectable } from '@nestjs/common';
import { type CommandContext, type CreatorId, parseId, type UserId } from '#kernel';
import type { CreatorState, EnrolledCreator } from '../../domain/creator.state.js';
import { awaitsInvitation, observeInvitation, recordInvitationNotFound } from '../../domain/enrollment/enrollment.js';
import { linkUser } from '../../domain/enrollment/roster-members.js';
import { observeMember } from '../../domain/membership/observation.js';
import { removeCreator } from '../../domain/membership/removal.js';
import type { NativeCreator } from '../../domain/native-creator.js';
import type { NativeInvitation } from '../../domain/native-invitation.js';
import { CreatorRepository } from './creator.repository.js';
import { CreatorPlatform } from './creator-platform.js';
import { type FoundCreator, isFound, type LoadedCreator } from './loaded-creator.js';
import { type LoadedRoster, RosterRepository } from './roster.repository.js';

/** How often a creator or its invitation is read again because another command recorded something during the read. */
export const READINGS = 3;

/** Follows invitations until the invitee is onboarded, and decides which creator an invited user is. */
@Injectable()
export class Invitees {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly rosters: RosterRepository,
    private readonly platform: CreatorPlatform,
  ) {}

  /** The latest word counts (D76): what was read before something else was recorded is left out, and read again. */
  async refresh(invited: FoundCreator, context: CommandContext): Promise<LoadedCreator> {
    let creator: LoadedCreator = invited;
    for (let reading = 0; reading < READINGS && isFound(creator) && hasInvitation(creator.state); reading++) {
      const invitation = await this.lookUp(creator.state);
      // No invitation under the reference: the call that sends it may be under way.
      if (invitation === undefined && creator.state.invitationId === null) return creator;
      const seen = await this.repository.updateIfUnchanged(creator, context, (current) =>
        invitation === undefined ? recordInvitationNotFound(current) : observeInvitation(current, invitation),
      );
      creator = seen.loaded;
      if (invitation === undefined) return creator;
      if (!seen.isOvertaken) return this.follow(creator, invitation, invited.state, context);
    }
    return creator;
  }

  /** The member's reference comes from outside, and may belong to no creator (D35, D74). Returns the roster after that. */
  async recognize(
    { invitationReference, userId }: NativeCreator,
    roster: LoadedRoster,
    context: CommandContext,
  ): Promise<LoadedRoster> {
    const invited = invitationReference === null ? undefined : parseId('creator', invitationReference);
    if (invited === undefined) return roster;
    const linked = await this.link(roster, invited, userId, context);
    if (isDetached(linked, invited)) await this.detach(invited, context);
    return linked;
  }

  /** The second step of detaching an invitee, also after a crash between the two streams (D74). */
  detach(invited: CreatorId | LoadedCreator, context: CommandContext): Promise<LoadedCreator> {
    return this.repository.update(invited, context, (state) => removeCreator(state, 'detached'));
  }

  private lookUp({ agencyId, creatorId, invitationId }: EnrolledCreator): Promise<NativeInvitation | undefined> {
    return invitationId === null
      ? this.platform.findInvitation(agencyId, creatorId)
      : this.platform.getInvitation(agencyId, invitationId);
  }

  /** D30: an invitee that has a native user becomes that user once its onboarding is complete. */
  private async follow(
    creator: LoadedCreator,
    { status, userId }: NativeInvitation,
    { agencyId, workspaceId }: EnrolledCreator,
    context: CommandContext,
  ): Promise<LoadedCreator> {
    if (userId === null || status === 'detached') return creator;
    const roster = await this.rosters.load(workspaceId);
    const keptBy = roster.state.byUser.get(userId);
    const isKept = keptBy !== undefined && keptBy !== creator.id;
    const native = isKept ? undefined : await this.platform.getCreator(agencyId, userId);
    const isOnboarded = native !== undefined && !native.isStaff && native.onboardingComplete;
    if (!isKept && !isOnboarded) return creator;
    const linked = await this.link(roster, creator.id, userId, context);
    if (isDetached(linked, creator.id)) return this.detach(creator, context);
    if (!isOnboarded) return creator;
    const record = (state: CreatorState) => observeMember(state, native, null);
    return (await this.repository.updateIfUnchanged(creator, context, record)).loaded;
  }

  /**
   * The user accepted the creator's invitation: it is that creator (D35), unless it is one of the workspace already. Then
   * the invited one is to end as detached, and what was submitted for it is written nowhere (D74).
   */
  private link(
    roster: LoadedRoster,
    invited: CreatorId,
    userId: UserId,
    context: CommandContext,
  ): Promise<LoadedRoster> {
    return this.rosters.update(roster, context, (state) => linkUser(state, invited, userId));
  }
}

const isDetached = ({ state }: LoadedRoster, creatorId: CreatorId): boolean =>
  state.creators.get(creatorId)?.isDetached === true;

/** Whether there is one to ask for: known by its id, or perhaps sent under the creator's reference (D28). */
const hasInvitation = (creator: EnrolledCreator): boolean =>
  creator.invitationId !== null || (awaitsInvitation(creator) && creator.enrollment.status === 'uncertain');
