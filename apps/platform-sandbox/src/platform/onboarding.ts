import { randomUUID } from 'node:crypto';
import { conflict, found } from '../refusal.js';
import type { InvitationRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { LINK_LIFETIME, statusNow } from './invitations.js';
import { newCreator } from './membership.js';
import { type StandingRequest, standingOf } from './standing.js';

export function accept(world: World, invitation: InvitationRecord, userId: string = randomUUID()): InvitationRecord {
  if (statusNow(world, invitation) !== 'pending') throw conflict('invitation_not_pending', 'Not pending.');
  const known = world.creators.get(userId);
  const isMember = known !== undefined && known.agency_id !== null && !known.archived;
  if (isMember && known.agency_id !== invitation.agency_id) {
    throw conflict('user_is_elsewhere', 'The user is a creator of another agency.');
  }
  const user = known ?? {
    ...newCreator(world, invitation.agency_id, userId, 0),
    display_name: invitation.display_name,
    aliases: [],
    profiles: [],
  };
  world.creators.put({
    ...user,
    agency_id: invitation.agency_id,
    archived: false,
    invitation_reference: invitation.reference,
    onboarding_complete: isMember && known.onboarding_complete,
    updated_at: world.after(user.updated_at),
  });
  return world.invitations.put({ ...invitation, status: 'accepted', user_id: userId });
}

export function onboard(
  world: World,
  invitation: InvitationRecord,
  standing: StandingRequest,
  userId?: string,
): InvitationRecord {
  const accepted = invitation.status === 'accepted' ? invitation : accept(world, invitation, userId);
  const user = found(world.creators.get(accepted.user_id ?? ''), 'creator');
  const updated_at = world.after(user.updated_at);
  world.creators.put({ ...user, onboarding_complete: true, ...standingOf(standing), updated_at });
  return world.invitations.put({ ...accepted, status: 'onboarded' });
}

/** With `onboard_after_ms` set, invitees complete onboarding so long after the last mail, and are eligible. */
export function settleInvitations(world: World): void {
  const { onboard_after_ms } = world.settings;
  if (onboard_after_ms === null) return;
  const due = world.now() - onboard_after_ms + LINK_LIFETIME;
  for (const { id } of world.agencies.values()) {
    const onboarding: InvitationRecord[] = [];
    for (const invitation of world.invitations.ascending(id)) {
      if (invitation.expires_at > due) break;
      if (statusNow(world, invitation) === 'pending') onboarding.push(invitation);
    }
    for (const invitation of onboarding) onboard(world, invitation, { eligible: true });
  }
}
