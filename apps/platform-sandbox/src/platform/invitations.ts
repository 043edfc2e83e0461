import { randomUUID } from 'node:crypto';
import { DAY } from '#kernel';
import {
  bodyOf,
  type Call,
  changedTo,
  found,
  noneOrOne,
  notFound,
  type Operations,
  ok,
  Refusal,
} from '../operation.js';
import type { InvitationRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { requireFreeSlot, vacateSlot } from './agencies.js';
import { agencyOf, newCreator, type StandingRequest, standingOf } from './creators.js';

const LINK_LIFETIME = 7 * DAY;
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;
/** Addresses of this host are always refused. */
const REJECTED_HOST = '@rejected.example';
/** The mail provider does not accept mail for this host. */
const UNDELIVERABLE_HOST = '@undeliverable.example';

type InviteBody = Pick<InvitationRecord, 'reference' | 'email' | 'display_name'> & InvitationRecord['invitee'];

export const invitationOperations: Operations = {
  invite(world, call) {
    agencyOf(world, call.agencyId);
    const { reference, email, display_name, ...invitee } = bodyOf<InviteBody>(call);
    if (!ADDRESS.test(email) || email.toLowerCase().endsWith(REJECTED_HOST)) {
      throw new Refusal(422, 'invitation_rejected', 'The address cannot be invited.');
    }
    requireFreeSlot(world, call.agencyId);
    const invitation = world.invitations.put({
      id: world.newId('inv'),
      agency_id: call.agencyId,
      reference,
      email,
      display_name,
      invitee,
      status: 'pending',
      user_id: null,
      email_sent: sendMail(world, email, call.key, reference),
      expires_at: world.now() + LINK_LIFETIME,
    });
    return { status: 201, body: invitation };
  },

  findInvitation(world, { agencyId, query }) {
    const { id } = agencyOf(world, agencyId);
    const known = world.invitations.byAlias(String(query.reference));
    return noneOrOne(known?.agency_id === id ? asOfNow(world, known) : undefined);
  },

  getInvitation: (world, call) => ok(asOfNow(world, invitationOf(world, call))),

  withdrawInvitation(world, call) {
    const invitation = asOfNow(world, invitationOf(world, call));
    if (invitation.status === 'onboarded') {
      throw new Refusal(409, 'creator_onboarding_completed', 'The creator has already completed onboarding.');
    }
    if (invitation.status === 'cancelled' || invitation.status === 'detached') return changedTo(invitation, false);
    if (invitation.status === 'accepted') detachUser(world, invitation);
    world.countEffect('withdrawals', invitation.reference);
    const status = invitation.status === 'accepted' ? 'detached' : 'cancelled';
    return changedTo(world.invitations.put({ ...invitation, status }), true);
  },

  resendInvitation(world, call) {
    const invitation = invitationOf(world, call);
    const { status, email, reference, expires_at } = asOfNow(world, invitation);
    if (status !== 'pending' && status !== 'expired') {
      throw new Refusal(409, 'invitation_not_pending', `The invitation is ${status}.`);
    }
    if (status === 'expired') requireFreeSlot(world, call.agencyId);
    const resent = world.invitations.put({
      ...invitation,
      email_sent: sendMail(world, email, call.key, reference),
      expires_at: Math.max(world.now() + LINK_LIFETIME, expires_at),
    });
    return ok(resent);
  },
};

/** Pending invitations expire by the clock, without any write. */
export function asOfNow(world: World, invitation: InvitationRecord): InvitationRecord {
  const isOver = invitation.status === 'pending' && invitation.expires_at <= world.now();
  return isOver ? { ...invitation, status: 'expired' } : invitation;
}

function invitationOf(world: World, { agencyId, recordId }: Call): InvitationRecord {
  agencyOf(world, agencyId);
  const invitation = world.invitations.get(recordId);
  if (invitation?.agency_id !== agencyId) throw notFound('invitation');
  return invitation;
}

function sendMail(world: World, email: string, key: string, reference: string): boolean {
  if (email.toLowerCase().endsWith(UNDELIVERABLE_HOST)) return false;
  world.countEffect('mails', key);
  world.countEffect('mails_by_invitation', reference);
  return true;
}

function detachUser(world: World, { user_id, agency_id }: InvitationRecord): void {
  const user = user_id === null ? undefined : world.creators.get(user_id);
  if (user?.agency_id !== agency_id) return;
  vacateSlot(world, agency_id, user.user_id);
  world.creators.put({ ...user, agency_id: null, updated_at: world.after(user.updated_at) });
}

export function requirePending(world: World, invitation: InvitationRecord): void {
  if (asOfNow(world, invitation).status !== 'pending') throw new Refusal(409, 'invitation_not_pending', 'Not pending.');
}

export function accept(world: World, invitation: InvitationRecord, userId: string = randomUUID()): InvitationRecord {
  requirePending(world, invitation);
  const { agency_id, reference, display_name } = invitation;
  const known = world.creators.get(userId);
  const isMember = known !== undefined && known.agency_id !== null && !known.archived;
  if (isMember && known.agency_id !== agency_id) {
    throw new Refusal(409, 'user_is_elsewhere', 'The user is a creator of another agency.');
  }
  const user = known ?? { ...newCreator(world, agency_id, userId, 0), display_name, aliases: [], profiles: [] };
  world.creators.put({
    ...user,
    agency_id,
    archived: false,
    invitation_reference: reference,
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

/** With `onboard_after_ms` set, invitees complete onboarding that long after the last mail, and are eligible. */
export function settleInvitations(world: World): void {
  const { onboard_after_ms } = world.settings;
  if (onboard_after_ms === null) return;
  const due = world.now() - onboard_after_ms + LINK_LIFETIME;
  const ofAll = [...world.agencies.values()].flatMap(({ id }) => world.invitations.between(id, 0, due + 1));
  for (const invitation of ofAll) {
    if (asOfNow(world, invitation).status === 'pending') onboard(world, invitation, { eligible: true });
  }
}
