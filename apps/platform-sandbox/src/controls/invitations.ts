import { showInvitation, statusNow } from '../platform/invitations.js';
import { accept, onboard } from '../platform/onboarding.js';
import type { StandingRequest } from '../platform/standing.js';
import { conflict, notFound } from '../refusal.js';
import type { InvitationRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { type Control, controlBody, FLAG, UUID } from './control.js';
import { STANDING_MEMBERS } from './standing.js';

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
