import { randomUUID } from 'node:crypto';
import { showInvitation, statusNow } from '../platform/invitations.js';
import { conflict, notFound } from '../refusal.js';
import type { InvitationRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { type Control, controlBody, FLAG, UUID } from './control.js';
import { newCreator } from './creators.js';
import { STANDING_MEMBERS, type StandingRequest, standingOf } from './standing.js';

export const invitationControls: readonly Control[] = [
  {
    method: 'POST',
    path: '/invitations/:id/accept',
    members: { user_id: UUID },
    run: ({ world }, call) =>
      showInvitation(
        world,
        accept(world, invitationAt(world, call.id), controlBody<{ user_id?: string }>(call).user_id),
      ),
  },
  {
    method: 'POST',
    path: '/invitations/:id/onboard',
    members: { user_id: UUID, ...STANDING_MEMBERS },
    run({ world }, call) {
      const { user_id, ...standing } = controlBody<StandingRequest & { user_id?: string }>(call);
      return showInvitation(world, onboard(world, invitationAt(world, call.id), standing, user_id));
    },
  },
  {
    method: 'POST',
    path: '/invitations/:id/expire',
    members: {},
    run({ world }, call) {
      const invitation = invitationAt(world, call.id);
      if (statusNow(world, invitation) !== 'pending') throw conflict('invitation_not_pending', 'Not pending.');
      return showInvitation(world, world.invitations.put({ ...invitation, expires_at: world.now() }));
    },
  },
  {
    method: 'PATCH',
    path: '/invitations/:id',
    members: { email_sent: FLAG },
    run({ world }, call) {
      const change = controlBody<{ email_sent?: boolean }>(call);
      return showInvitation(world, world.invitations.put({ ...invitationAt(world, call.id), ...change }));
    },
  },
];

/** By invitation id, or by the reference that it was sent under. */
function invitationAt(world: World, idOrReference: string): InvitationRecord {
  const byId = world.invitations.get(idOrReference);
  if (byId) return byId;
  for (const invitation of world.invitations.values()) if (invitation.reference === idOrReference) return invitation;
  throw notFound('invitation');
}

function accept(world: World, invitation: InvitationRecord, userId: string = randomUUID()): InvitationRecord {
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

function onboard(world: World, invitation: InvitationRecord, standing: StandingRequest, userId?: string) {
  const accepted = invitation.status === 'accepted' ? invitation : accept(world, invitation, userId);
  const user = world.creators.get(accepted.user_id ?? '');
  if (!user) throw notFound('creator');
  const updated_at = world.after(user.updated_at);
  world.creators.put({ ...user, onboarding_complete: true, ...standingOf(standing), updated_at });
  return world.invitations.put({ ...accepted, status: 'onboarded' });
}
