import { beforeEach, expect, it } from '@jest/globals';
import { agencyId, DAY, DomainError, derivedId, MINUTE } from '#kernel';
import { invitee, submitted } from '../../domain/creator.fixtures.js';
import { type Stage, stage } from '../../stage.fixtures.js';
import { type AddressMails, INVITATION_MAILS, InvitationMails } from './invitation-mails.js';

const rateLimited = (retryAfterSeconds: number) => ({ code: 'rate_limited', retryAfterSeconds });
const unknown = { outcome: 'unknown', error: new DomainError('provider_timeout') } as const;

let s: Stage;
beforeEach(async () => {
  s = await stage();
  s.platform.totalSlots = 10;
});

const invite = (externalId: string, email = invitee.email) => {
  const request = { invitee: { ...invitee, email }, externalId, identity: submitted, fingerprint: externalId };
  return s.inviteCreator(s.scope, request, s.context);
};
const documents = () => s.documents.find<AddressMails>(INVITATION_MAILS.name, { index: 'end', limit: 100 });
const counted = async () => (await documents()).flatMap(({ mails }) => mails).length;
const events = async () => (await s.log.readLog({ after: 0, limit: 1_000 })).events;
const invitations = () => s.platform.calls.filter((call) => call === 'invite').length;

it('D88: a second enrollment of one address within a minute is refused before anything is recorded', async () => {
  await invite('one');
  const before = await events();
  s.clock.advance(MINUTE - 1);
  await expect(invite('two')).rejects.toMatchObject(rateLimited(1));
  expect([await events(), invitations()]).toEqual([before, 1]);
  s.clock.advance(1);
  expect((await invite('two')).isNew).toBe(true);
});

it('D88: of thirty concurrent enrollments of one address one is sent, and the others record nothing', async () => {
  const all = await Promise.allSettled(Array.from({ length: 30 }, (_, n) => invite(`ext-${n}`)));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect([invitations(), await counted()]).toEqual([1, 1]);
  const admitted = (await events()).filter(({ type }) => type === 'roster.creatorAdmitted.v1');
  expect(admitted).toHaveLength(1);
});

it('D88: the case and the blanks of an address make no difference; other addresses do', async () => {
  await invite('one', 'Mia@Lumen.example');
  await expect(invite('two', ' mia@lumen.EXAMPLE ')).rejects.toMatchObject(rateLimited(60));
  expect((await invite('three', 'mia2@lumen.example')).isNew).toBe(true);
});

it('D88: each agency has a separate allowance', async () => {
  await invite('one');
  const another = { ...s.scope, agencyId: agencyId('ag_nova'), workspaceId: derivedId('workspace', 'ag_nova') };
  const request = { invitee, externalId: 'one', identity: submitted, fingerprint: 'one' };
  expect((await s.inviteCreator(another, request, s.context)).isNew).toBe(true);
});

it('D88: a refused invitation does not count, and neither does one that was not admitted', async () => {
  s.platform.outcomes.set('invite', { outcome: 'refused', code: 'invitation_rejected' });
  await expect(invite('one')).rejects.toThrow();
  s.platform.totalSlots = 0;
  await expect(invite('two')).rejects.toMatchObject({ code: 'capacity_reached' });
  expect(await counted()).toBe(0);
  s.platform.totalSlots = 10;
  expect((await invite('one')).creator.enrollment.status).toBe('invited');
  expect(await counted()).toBe(1);
});

it('D88: a repeat of what was sent neither counts nor is limited', async () => {
  await invite('one');
  for (let n = 0; n < 7; n++) expect((await invite('one')).isNew).toBe(false);
  const twins = await Promise.all(Array.from({ length: 10 }, () => invite('two', 'eve@lumen.example')));
  expect(twins.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect([await counted(), invitations()]).toEqual([2, 2]);
});

it('D28, D88: an unknown outcome counts, and a repeat that calls the platform again counts again', async () => {
  const lost = () => {
    s.platform.outcomes.set('invite', unknown);
    return invite('one');
  };
  const { creatorId: reference } = (await lost()).creator;
  for (let n = 2; n <= 5; n++) {
    expect((await lost()).creator.enrollment.status).toBe('uncertain');
    expect(await counted()).toBe(n);
  }
  await expect(invite('one')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(invitations()).toBe(5);
  // Found under its reference: nothing is sent.
  await s.platform.invite(undefined, { ...invitee, reference, displayName: 'Mia' });
  expect((await invite('one')).creator.enrollment.status).toBe('invited');
  expect(await counted()).toBe(5);
});

it('D39, D88: creators with one address share its resends', async () => {
  const one = (await invite('one')).creator.creatorId;
  s.clock.advance(MINUTE);
  const two = (await invite('two')).creator.creatorId;
  const resend = (creatorId: typeof one, key: string) => s.resendInvitation(creatorId, s.scope, key, s.context);
  s.platform.outcomes.set('resendInvitation', { outcome: 'refused', code: 'capacity_reached' });
  await expect(resend(one, 'a')).rejects.toMatchObject({ code: 'capacity_reached' });
  expect((await resend(one, 'b')).emailSent).toBe(true);
  const before = await events();
  await expect(resend(two, 'c')).rejects.toMatchObject(rateLimited(60));
  expect(await events()).toEqual(before);
  expect((await resend(one, 'b')).emailSent).toBe(true);
  s.clock.advance(MINUTE);
  expect((await resend(two, 'c')).emailSent).toBe(true);
});

it('D88: what is kept has no address in it, and is removed when it counts no more', async () => {
  await invite('one');
  expect(JSON.stringify(await documents())).not.toMatch(/lumen|mia|one/i);
  expect(JSON.stringify((await events()).map(({ type }) => type))).not.toMatch(/mail/);
  s.clock.advance(DAY);
  await s.get(InvitationMails).sweep();
  expect(await counted()).toBe(1);
  s.clock.advance(1);
  await s.get(InvitationMails).sweep();
  expect(await documents()).toEqual([]);
});
