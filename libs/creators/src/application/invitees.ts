import { type CommandContext, type CommandRunner, type CreatorId, DomainError, parseId, type UserId } from '#kernel';
import { type CreatorState, type EnrolledCreator, isErased } from '../domain/creator.state.js';
import { awaitsInvitation, observeInvitation, recordInvitationNotFound } from '../domain/enrollment/enrollment.js';
import { linkUser, rosterDecider } from '../domain/enrollment/roster.js';
import { removeCreator } from '../domain/membership/removal.js';
import type { AgencyScope, Creators } from './creators.js';
import type { CreatorPlatform, NativeCreator, NativeInvitation } from './ports.js';

/** How often a creator, or its invitation, is read again because others have recorded something meanwhile. */
export const READINGS = 3;

interface InvitedUser extends Pick<EnrolledCreator, 'agencyId' | 'workspaceId'> {
  readonly userId: UserId;
}

/** Follows invitations until the invitee is onboarded, and decides which creator an invited user is. */
export class Invitees {
  constructor(
    private readonly runner: CommandRunner,
    private readonly platform: CreatorPlatform,
    private readonly creators: Pick<Creators, 'decide' | 'load' | 'place' | 'recordSeen'>,
  ) {}

  /**
   * Reads the creator's invitation and records what changed. The latest word counts (D76): what was read before something
   * else was recorded is left out, and the invitation is read again.
   */
  async refresh(invited: EnrolledCreator, context: CommandContext): Promise<CreatorState> {
    const { creatorId } = invited;
    let creator: CreatorState = invited;
    for (let reading = 0; reading < READINGS && creator.status === 'known' && hasInvitation(creator); reading++) {
      const began = await this.creators.place(creatorId);
      const invitation = await this.lookUp(creator);
      // No invitation under the reference: the call that sends it may be under way.
      if (invitation === undefined && creator.invitationId === null) return creator;
      let isOvertaken = false;
      creator = await this.creators.decide(creatorId, context, (current, _now, position) => {
        isOvertaken = position > began;
        if (isOvertaken) return [];
        return invitation === undefined ? recordInvitationNotFound(current) : observeInvitation(current, invitation);
      });
      if (invitation === undefined) return creator;
      if (!isOvertaken) return this.follow(creator, invitation, invited, context);
    }
    return creator;
  }

  /** A member that the platform shows, whose reference comes from outside and may be nobody's (D35, D74). */
  async recognise(
    { invitationReference, userId }: NativeCreator,
    workspaceId: AgencyScope['workspaceId'],
    context: CommandContext,
  ): Promise<void> {
    const invited = invitationReference === null ? undefined : parseId('creator', invitationReference);
    if (invited !== undefined) await this.link(invited, { workspaceId, userId }, context);
  }

  /** The second step of detaching an invitee, also after a crash between the two streams (D74). */
  detach(invited: CreatorId, context: CommandContext): Promise<CreatorState> {
    return this.creators.decide(invited, context, (state) => removeCreator(state, 'detached'));
  }

  /** D83: a user whose data was erased can't be enrolled, under a new external id either, and nothing is recorded of it. */
  async requireNotErased(userId: UserId, { workspaceId }: AgencyScope): Promise<void> {
    const { state: roster } = await this.runner.load(rosterDecider, workspaceId);
    const creatorId = roster.byUser.get(userId);
    if (creatorId === undefined) return;
    if (isErased(await this.creators.load(creatorId))) throw new DomainError('not_found');
  }

  private lookUp({ agencyId, creatorId, invitationId }: EnrolledCreator): Promise<NativeInvitation | undefined> {
    return invitationId === null
      ? this.platform.findInvitation(agencyId, creatorId)
      : this.platform.getInvitation(agencyId, invitationId);
  }

  /** Who accepted has a native user. */
  private follow(
    state: CreatorState,
    { status, userId }: NativeInvitation,
    { creatorId, agencyId, workspaceId }: EnrolledCreator,
    context: CommandContext,
  ): CreatorState | Promise<CreatorState> {
    if (userId === null || status === 'detached') return state;
    return this.resolveOnboarding(creatorId, { agencyId, workspaceId, userId }, context);
  }

  /** D30: the invitee has a native user; it becomes the creator's once its onboarding is complete. */
  private async resolveOnboarding(
    creatorId: CreatorId,
    { agencyId, workspaceId, userId }: InvitedUser,
    context: CommandContext,
  ): Promise<CreatorState> {
    const { state: roster } = await this.runner.load(rosterDecider, workspaceId);
    const keptBy = roster.byUser.get(userId);
    if (keptBy !== undefined && keptBy !== creatorId) {
      await this.link(creatorId, { workspaceId, userId }, context);
      return this.creators.load(creatorId);
    }
    const began = await this.creators.place(creatorId);
    const native = await this.platform.getCreator(agencyId, userId);
    if (native === undefined || native.isStaff || !native.onboardingComplete) return this.creators.load(creatorId);
    await this.link(creatorId, { workspaceId, userId }, context);
    return (await this.creators.recordSeen(creatorId, native, context, { began })) ?? this.creators.load(creatorId);
  }

  /**
   * The user accepted the creator's invitation: it is that creator (D35), unless it is one of the workspace already. Then
   * the invited one ends as detached, and what was submitted for it is written nowhere (D74).
   */
  private async link(
    invited: CreatorId,
    { workspaceId, userId }: Pick<InvitedUser, 'workspaceId' | 'userId'>,
    context: CommandContext,
  ): Promise<void> {
    const { state } = await this.runner.run(rosterDecider, workspaceId, context, (roster) =>
      linkUser(roster, invited, userId),
    );
    if (state.creators.get(invited)?.isDetached) await this.detach(invited, context);
  }
}

/** Whether there is one to ask for: known by its id, or perhaps sent under the creator's reference (D28). */
const hasInvitation = (creator: EnrolledCreator): boolean =>
  creator.invitationId !== null || (awaitsInvitation(creator) && creator.enrollment.status === 'uncertain');
