import { claimOne } from './agencies.js';
import { type Answer, Refusal } from './answer.js';
import type { Call } from './strict-request.js';
import { byReference, type Invited, type World } from './world.js';

/** Invitations: pending → accepted → onboarded, or expired, cancelled, detached. */
const VALID_MS = 7 * 24 * 3600 * 1000;

interface InviteBody {
  reference: string;
  email: string;
  display_name: string;
}

export function invite(world: World, { path, body }: Call): Answer {
  const agency = world.agency(path.agency_id);
  const { reference, email, display_name } = body as InviteBody;
  if (!email.includes('@') || world.uninvitable.has(email.toLowerCase())) throw new Refusal(422, 'invitation_rejected');
  claimOne(world, agency);
  const id = `invitation/${world.scattered()}?é#1`;
  const invited: Invited = {
    invitation: {
      id,
      reference,
      status: 'pending',
      user_id: null,
      email_sent: false,
      expires_at: world.now() + VALID_MS,
    },
    display_name,
  };
  agency.invited.set(id, invited);
  return { status: 201, body: invited.invitation };
}

export function findInvitation(world: World, { path, query }: Call): Answer {
  const found = byReference(world.agency(path.agency_id), query.reference);
  return { status: 200, body: { data: found ? [world.asOfNow(found).invitation] : [] } };
}

export function getInvitation(world: World, { path }: Call): Answer {
  return { status: 200, body: world.invited(path.agency_id, path.invitation_id).invitation };
}

export function resendInvitation(world: World, { path }: Call): Answer {
  const { invitation } = world.invited(path.agency_id, path.invitation_id);
  if (invitation.status === 'expired') claimOne(world, world.agency(path.agency_id));
  else if (invitation.status !== 'pending') throw new Refusal(409, 'invitation_not_pending');
  Object.assign(invitation, { status: 'pending', email_sent: true, expires_at: world.now() + VALID_MS });
  return { status: 200, body: invitation };
}

export function withdrawInvitation(world: World, { path }: Call): Answer {
  const { invitation } = world.invited(path.agency_id, path.invitation_id);
  switch (invitation.status) {
    case 'onboarded':
      throw new Refusal(409, 'creator_onboarding_completed');
    case 'accepted':
      invitation.status = 'detached';
      world.agency(path.agency_id).members.delete(invitation.user_id ?? '');
      break;
    case 'pending':
    case 'expired':
      invitation.status = 'cancelled';
      break;
    case 'cancelled':
    case 'detached':
      break;
  }
  return { status: 200, body: invitation };
}
