import type { Invitation } from '../contract/types.js';
import { bodyOf, type Operation, ok } from '../operation.js';
import { conflict, notFound, unprocessable } from '../refusal.js';
import type { InvitationRecord, Invitee } from '../state/records.js';
import type { World } from '../state/world.js';
import { agencyOf } from './membership.js';
import { requireFreeSlot } from './slots.js';

export const LINK_LIFETIME = 7 * 24 * 60 * 60 * 1000;
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;
/** Addresses of this host are always refused. */
const REJECTED_HOST = '@rejected.example';
/** The mail provider does not accept messages for this host. */
const UNDELIVERABLE_HOST = '@undeliverable.example';

interface InviteBody extends Invitee {
  reference: string;
  email: string;
  display_name: string;
}

export const invite: Operation = (world, call) => {
  agencyOf(world, call.agencyId);
  const { reference, email, display_name, first_name, last_name, locale } = bodyOf<InviteBody>(call);
  if (!ADDRESS.test(email) || email.toLowerCase().endsWith(REJECTED_HOST)) {
    throw unprocessable('invitation_rejected', 'The address cannot be invited.');
  }
  requireFreeSlot(world, call.agencyId);
  const invitation = world.invitations.put({
    id: world.newId('inv'),
    agency_id: call.agencyId,
    reference,
    email,
    display_name,
    invitee: { first_name, last_name, locale },
    status: 'pending',
    user_id: null,
    email_sent: sendMail(world, email, call.key, reference),
    expires_at: world.now() + LINK_LIFETIME,
  });
  return { status: 201, body: showInvitation(world, invitation) };
};

export const findInvitation: Operation = (world, { agencyId, query }) => {
  agencyOf(world, agencyId);
  const found = world.invitations.byAlias(`${agencyId} ${query.reference}`);
  return ok({ data: found ? [showInvitation(world, found)] : [] });
};

export const getInvitation: Operation = (world, { agencyId, recordId }) =>
  ok(showInvitation(world, invitationOf(world, agencyId, recordId)));

export const withdrawInvitation: Operation = (world, { agencyId, recordId }) => {
  const invitation = invitationOf(world, agencyId, recordId);
  if (invitation.status === 'onboarded') {
    throw conflict('creator_onboarding_completed', 'The creator has completed onboarding.');
  }
  if (invitation.status === 'cancelled' || invitation.status === 'detached') {
    return { status: 200, body: showInvitation(world, invitation), changed: false };
  }
  if (invitation.status === 'accepted') detachUser(world, invitation);
  const status = invitation.status === 'accepted' ? 'detached' : 'cancelled';
  world.countEffect('withdrawals', invitation.reference);
  const withdrawn = world.invitations.put({ ...invitation, status });
  return { status: 200, body: showInvitation(world, withdrawn), changed: true };
};

export const resendInvitation: Operation = (world, { agencyId, recordId, key }) => {
  const invitation = invitationOf(world, agencyId, recordId);
  const status = statusNow(world, invitation);
  if (status !== 'pending' && status !== 'expired') {
    throw conflict('invitation_not_pending', `The invitation is ${status}.`);
  }
  if (status === 'expired') requireFreeSlot(world, agencyId);
  const resent = world.invitations.put({
    ...invitation,
    status: 'pending',
    email_sent: sendMail(world, invitation.email, key, invitation.reference),
    expires_at: Math.max(world.now() + LINK_LIFETIME, invitation.expires_at),
  });
  return ok(showInvitation(world, resent));
};

/** Pending invitations expire by the clock; nobody has to write it down. */
export function statusNow(world: World, invitation: InvitationRecord): Invitation['status'] {
  return invitation.status === 'pending' && invitation.expires_at <= world.now() ? 'expired' : invitation.status;
}

export function showInvitation(world: World, invitation: InvitationRecord): Invitation {
  const { agency_id: _agency, email: _email, display_name: _name, invitee: _invitee, ...shown } = invitation;
  return { ...shown, status: statusNow(world, invitation) };
}

function invitationOf(world: World, agencyId: string, id: string): InvitationRecord {
  agencyOf(world, agencyId);
  const invitation = world.invitations.get(id);
  if (invitation?.agency_id !== agencyId) throw notFound('invitation');
  return invitation;
}

function sendMail(world: World, email: string, key: string, reference: string): boolean {
  if (!world.settings.email_accepted || email.toLowerCase().endsWith(UNDELIVERABLE_HOST)) return false;
  world.countEffect('mails', key);
  world.countEffect('mails_by_invitation', reference);
  return true;
}

function detachUser(world: World, { user_id, agency_id }: InvitationRecord): void {
  const user = user_id === null ? undefined : world.creators.get(user_id);
  if (user?.agency_id !== agency_id) return;
  world.slots.remove(user.user_id);
  world.creators.put({ ...user, agency_id: null, updated_at: world.after(user.updated_at) });
}
