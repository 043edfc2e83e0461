import { type CommandContext, type CreatorId, parseId, type UserId } from '#kernel';
import type { EnrolledCreator } from '../../domain/creator.state.js';
import { awaitsInvitation, observeInvitation, recordInvitationNotFound } from '../../domain/enrollment/enrollment.js';
import { linkUser } from '../../domain/enrollment/roster-admission.js';
import { observeMember } from '../../domain/membership/observation.js';
import { removeCreator } from '../../domain/membership/removal.js';
import type { NativeCreator, NativeInvitation } from '../../domain/native-records.js';
import type { LoadedRoster } from './creator.repository.js';
import { type CreatorPorts, type FoundCreator, isFound, type LoadedCreator } from './creator-ports.js';

/** How often a creator or its invitation is read again because another command recorded something during the read. */
export const READINGS = 3;

/**
 * Follows the invitation until the invitee is onboarded. The latest answer counts (D76): if something was recorded
 * after an answer was requested, it is dropped, and the invitation is read again.
 */
export const refreshInvitee = async (
  ports: CreatorPorts,
  invited: FoundCreator,
  context: CommandContext,
): Promise<LoadedCreator> => {
  let creator: LoadedCreator = invited;
  for (let reading = 0; reading < READINGS && isFound(creator) && hasInvitation(creator.state); reading++) {
    const { agencyId, creatorId, invitationId } = creator.state;
    const invitation = await (invitationId === null
      ? ports.platform.findInvitation(agencyId, creatorId)
      : ports.platform.getInvitation(agencyId, invitationId));
    // The platform has no invitation under the reference: the call that sends it may be under way.
    if (invitation === undefined && invitationId === null) return creator;
    const seen = await ports.repository.updateIfUnchanged(creator, context, (current) =>
      invitation === undefined ? recordInvitationNotFound(current) : observeInvitation(current, invitation),
    );
    creator = seen.loaded;
    if (invitation === undefined) return creator;
    if (!seen.isOvertaken) return becomeUser(ports, creator, invitation, invited.state, context);
  }
  return creator;
};

/** Whether the platform may have one: known by its id, or perhaps sent under the creator's reference (D28). */
const hasInvitation = (creator: EnrolledCreator): boolean =>
  creator.invitationId !== null || (awaitsInvitation(creator) && creator.enrollment.status === 'uncertain');

/** D30: an invitee that has a native user becomes that user once its onboarding is complete. */
const becomeUser = async (
  ports: CreatorPorts,
  creator: LoadedCreator,
  { status, userId }: NativeInvitation,
  { agencyId, workspaceId }: EnrolledCreator,
  context: CommandContext,
): Promise<LoadedCreator> => {
  if (userId === null || status === 'detached') return creator;
  const roster = await ports.rosters.load(workspaceId);
  const keptBy = roster.state.byUser.get(userId);
  const isKept = keptBy !== undefined && keptBy !== creator.id;
  const native = isKept ? undefined : await ports.platform.getCreator(agencyId, userId);
  const isOnboarded = native !== undefined && !native.isStaff && native.onboardingComplete;
  if (!isKept && !isOnboarded) return creator;
  const linked = await link(ports, roster, creator.id, userId, context);
  if (isDetached(linked, creator.id)) return detach(ports, creator, context);
  if (!isOnboarded) return creator;
  return (await ports.repository.updateIfUnchanged(creator, context, (state) => observeMember(state, native, null)))
    .loaded;
};

/** The member's reference comes from outside, and may belong to no creator (D35, D74). Returns the roster after that. */
export const recognizeInvitee = async (
  ports: CreatorPorts,
  { invitationReference, userId }: NativeCreator,
  roster: LoadedRoster,
  context: CommandContext,
): Promise<LoadedRoster> => {
  const invited = invitationReference === null ? undefined : parseId('creator', invitationReference);
  if (invited === undefined) return roster;
  const linked = await link(ports, roster, invited, userId, context);
  if (isDetached(linked, invited)) await detach(ports, invited, context);
  return linked;
};

/** The user accepted the creator's invitation, so it is that creator (D35), unless it is another one already (D74). */
const link = (
  { rosters }: CreatorPorts,
  roster: LoadedRoster,
  invited: CreatorId,
  userId: UserId,
  context: CommandContext,
): Promise<LoadedRoster> => rosters.update(roster, context, (state) => linkUser(state, invited, userId));

export const isDetached = ({ state }: LoadedRoster, creatorId: CreatorId): boolean =>
  state.creators.get(creatorId)?.isDetached === true;

/** The second step of detaching an invitee, also after a crash between the two streams (D74). */
export const detach = (
  { repository }: CreatorPorts,
  invited: CreatorId | LoadedCreator,
  context: CommandContext,
): Promise<LoadedCreator> => repository.update(invited, context, (state) => removeCreator(state, 'detached'));
