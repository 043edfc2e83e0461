import { objectOf } from '../contract/schemas.js';
import { showInvitation, statusNow } from '../platform/invitations.js';
import { accept, onboard } from '../platform/onboarding.js';
import type { StandingRequest } from '../platform/standing.js';
import { conflict, found } from '../refusal.js';
import type { InvitationRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { control, FLAG, NO_MEMBERS, UUID } from './control.js';
import { STANDING_MEMBERS } from './standing.js';

interface ByUser {
  user_id?: string;
}

const ONBOARDING = objectOf({ user_id: UUID, ...STANDING_MEMBERS });

export const invitationControls = [
  control<ByUser>('POST', '/invitations/:id/accept', objectOf({ user_id: UUID }), ({ world }, { id, body }) =>
    showInvitation(world, accept(world, invitationAt(world, id), body.user_id)),
  ),

  control<ByUser & StandingRequest>('POST', '/invitations/:id/onboard', ONBOARDING, ({ world }, { id, body }) => {
    const { user_id, ...standing } = body;
    return showInvitation(world, onboard(world, invitationAt(world, id), standing, user_id));
  }),

  control('POST', '/invitations/:id/expire', NO_MEMBERS, ({ world }, { id }) => {
    const invitation = invitationAt(world, id);
    if (statusNow(world, invitation) !== 'pending') throw conflict('invitation_not_pending', 'Not pending.');
    return showInvitation(world, world.invitations.put({ ...invitation, expires_at: world.now() }));
  }),

  control<{ email_sent?: boolean }>(
    'PATCH',
    '/invitations/:id',
    objectOf({ email_sent: FLAG }),
    ({ world }, { id, body }) => showInvitation(world, world.invitations.put({ ...invitationAt(world, id), ...body })),
  ),
];

/** By invitation id, or by the reference that it was sent under. */
function invitationAt(world: World, idOrReference: string): InvitationRecord {
  const byReference = () => [...world.invitations.values()].find(({ reference }) => reference === idOrReference);
  return found(world.invitations.get(idOrReference) ?? byReference(), 'invitation');
}
