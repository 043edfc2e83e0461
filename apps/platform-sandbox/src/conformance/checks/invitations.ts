import type { Invitation } from '../../contract/types.js';
import { type Check, check, type Subject } from '../check.js';
import { equal, expect, expectFound, Skipped } from '../contract-client.js';
import { inviteBody } from '../samples.js';
import { type Repeatable, repeatChecks } from './repeats.js';

const WEEK = 7 * 24 * 60 * 60 * 1000;
const MAX_CLOCK_DIFFERENCE = 60 * 60 * 1000;

const inviting: Repeatable = {
  operation: 'invite',
  status: 201,
  idField: 'id',
  async request(subject, label) {
    await subject.discovery.requireFreeSlots(1);
    const reference = `${subject.run}-invite-${label}`;
    return { path: { agency_id: subject.discovery.agencyId }, key: reference, body: inviteBody(reference) };
  },
  otherBody: (body) => ({ ...body, display_name: 'Someone Else' }),
  undo: (subject, answer) => takeBack(subject, String(answer.id)),
};

const resending: Repeatable = {
  operation: 'resendInvitation',
  status: 200,
  idField: 'expires_at',
  async request(subject, label) {
    const invitation = await pendingInvitation(subject, `resend-${label}`);
    const path = { agency_id: subject.discovery.agencyId, invitation_id: invitation.id };
    return { path, key: `${subject.run}-resend-key-${label}` };
  },
  dismiss: (subject, { path }) => takeBack(subject, String(path?.invitation_id)),
  undo: (subject, answer) => takeBack(subject, String(answer.id)),
};

export const invitationChecks: readonly Check[] = [
  check(
    'an invitation that is pending reserves a slot, can be found, and is renewed for seven days',
    async (subject) => {
      const { client, discovery } = subject;
      const before = await discovery.capacity();
      const invitation = await pendingInvitation(subject, 'life');
      const path = { agency_id: discovery.agencyId, invitation_id: invitation.id };
      equal(invitation.user_id, null, 'user_id');
      equal((await discovery.capacity()).reserved_slots, before.reserved_slots + 1, 'reserved_slots');
      await expectFound(client, 'findInvitation', identityOf(invitation), path);
      equal(identityOf(await client.get('getInvitation', 200, { path })), identityOf(invitation), 'getInvitation');
      const resent = await client.get<Invitation>('resendInvitation', 200, { path, key: `${subject.run}-again` });
      expect(
        Math.abs(resent.expires_at - Date.now() - WEEK) < MAX_CLOCK_DIFFERENCE,
        'a new link is valid for seven days',
      );
      equal(identityOf(resent), identityOf(invitation), 'resent');
      equal((await discovery.capacity()).reserved_slots, before.reserved_slots + 1, 'reserved_slots after a resend');
      equal((await withdraw(subject, invitation.id)).status, 'cancelled', 'withdrawn');
      equal((await withdraw(subject, invitation.id)).status, 'cancelled', 'withdrawn again');
      equal((await discovery.capacity()).reserved_slots, before.reserved_slots, 'reserved_slots after withdrawal');
      const late = { path, key: `${subject.run}-late` };
      await client.refused('resendInvitation', late, [409], 'invitation_not_pending');
    },
  ),

  check('a refused invite is not remembered', async (subject) => {
    const request = await inviting.request(subject, 'refused');
    const refused = { ...request, body: { ...inviteBody(request.key ?? ''), email: 'no address' } };
    await subject.client.mayRefuse('invite', refused, (answer) => takeBack(subject, String(answer.id)));
    const invitation = await subject.client.get<Invitation>('invite', 201, request);
    await takeBack(subject, invitation.id);
  }),

  ...repeatChecks(inviting),
  ...repeatChecks(resending),
];

const identityOf = ({ id, reference, status }: Invitation) => ({ id, reference, status });

/** A platform may accept an invitation for its invitee; then there is nothing to wait for. */
async function pendingInvitation(subject: Subject, label: string): Promise<Invitation> {
  const invitation = await subject.client.get<Invitation>('invite', 201, await inviting.request(subject, label));
  if (invitation.status === 'pending') return invitation;
  await takeBack(subject, invitation.id);
  throw new Skipped(`the invitation is ${invitation.status} already`);
}

/** A creator that is already onboarded stays. */
async function takeBack({ client, discovery }: Subject, invitation_id: string): Promise<void> {
  await client.call('withdrawInvitation', { path: { agency_id: discovery.agencyId, invitation_id } });
}

function withdraw({ client, discovery }: Subject, invitation_id: string): Promise<Invitation> {
  return client.get('withdrawInvitation', 200, { path: { agency_id: discovery.agencyId, invitation_id } });
}
