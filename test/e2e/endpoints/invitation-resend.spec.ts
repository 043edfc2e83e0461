import { expect, test } from '@jest/globals';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel';
import { bodyOf } from '../support/api-client.js';
import { type Exchange, refusedFields } from '../support/exchange.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';
import { UNKNOWN_OUTCOMES } from '../support/unknown-outcomes.js';

const service = await startService({ platformHangs: true });
const { platform } = service;

const invitation = (id: string, what: string) => platform.control('POST', `/invitations/${id}/${what}`, {});
/** The enrollment's own mail, and those that were sent again. */
const mails = async (id: string) => (await platform.effects()).mails_by_invitation[id] ?? 0;
const resends = async ({ invitation_id }: Creator) =>
  (await platform.calls('resendInvitation')).filter(({ path }) => path.includes(String(invitation_id))).length;
const retryAfter = ({ headers }: Exchange) => Number(headers['retry-after']);

test('a pending invitation is sent again: 200 with the creator and email_sent, one more mail (D39)', async () => {
  const agency = await service.agency();
  const creator = await agency.invited();
  await service.pass(HOUR);
  const resent = await agency.api.resendInvitation(creator.id, 'k');
  expect([resent.outcome, resent.body]).toEqual(['200', { ...creator, email_sent: true }]);
  expect(await mails(creator.id)).toBe(2);
});

test('a resend while the clock is ahead for a moment limits no later one (D39, D93)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await service.pass(HOUR);
  service.clock.jump(3 * DAY);
  expect((await agency.api.resendInvitation(id, 'at a false time')).outcome).toBe('200');
  service.clock.jump(-3 * DAY);
  for (const key of ['1', '2', '3', '4', '5']) {
    await service.pass(MINUTE);
    expect([key, (await agency.api.resendInvitation(id, key)).outcome]).toEqual([key, '200']);
  }
  await service.pass(MINUTE);
  expect((await agency.api.resendInvitation(id, '6')).outcome).toBe('429 rate_limited');
});

test('an expired one is pending again, valid for seven days (D39)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await service.pass(7 * DAY);
  expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'expired' });
  expect((await agency.api.resendInvitation(id, 'k')).body).toMatchObject({ enrollment_status: 'invited' });
  await service.pass(7 * DAY - MINUTE);
  expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'invited' });
  await service.pass(MINUTE);
  expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'expired' });
});

test('email_sent is the mail provider’s answer, and a replay repeats it', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited({ email: 'ivy@undeliverable.example' });
  expect((await agency.api.resendInvitation(id, 'k')).body).toMatchObject({ email_sent: false });
  expect((await agency.api.resendInvitation(id, 'k')).body).toMatchObject({ email_sent: false });
});

test('a replay neither sends nor counts, and shows the creator as it is now (D39, D45)', async () => {
  const agency = await service.agency();
  const creator = await agency.invited();
  const { id } = creator;
  expect((await agency.api.resendInvitation(id, 'k')).outcome).toBe('200');
  const replays = await Promise.all(Array.from({ length: 10 }, () => agency.api.resendInvitation(id, 'k')));
  expect(new Set(replays.map(({ outcome }) => outcome))).toEqual(new Set(['200']));
  await service.pass(MINUTE);
  expect((await agency.api.resendInvitation(id, 'k2')).outcome).toBe('200');
  await invitation(id, 'onboard');
  await agency.api.creator(id);
  const replay = await agency.api.resendInvitation(id, 'k');
  expect([replay.outcome, replay.body]).toEqual([
    '200',
    expect.objectContaining({ enrollment_status: 'linked', email_sent: true }),
  ]);
  expect([await mails(id), await resends(creator)]).toEqual([3, 2]);
});

test('ten concurrent requests under one key send one mail', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  const answers = await Promise.all(Array.from({ length: 10 }, () => agency.api.resendInvitation(id, 'k')));
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['200']));
  expect(await mails(id)).toBe(2);
});

test('a second resend within a minute is 429 with Retry-After, also when concurrent, and is sent after it (D39)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  const both = await Promise.all(['a', 'b'].map((key) => agency.api.resendInvitation(id, key)));
  expect(both.map(({ outcome }) => outcome).sort()).toEqual(['200', '429 rate_limited']);
  await service.pass(20 * SECOND);
  const refused = await agency.api.resendInvitation(id, 'c');
  expect([refused.outcome, retryAfter(refused)]).toEqual(['429 rate_limited', 40]);
  await service.pass(39_999);
  expect((await agency.api.resendInvitation(id, 'c')).outcome).toBe('429 rate_limited');
  await service.pass(1);
  expect((await agency.api.resendInvitation(id, 'c')).outcome).toBe('200');
  expect(await mails(id)).toBe(3);
});

test('a sixth resend in 24 hours is 429 until the first one is a day old, to the millisecond (D39)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  const began = service.clock.now();
  for (const key of ['1', '2', '3', '4', '5']) {
    expect((await agency.api.resendInvitation(id, key)).outcome).toBe('200');
    await service.pass(HOUR);
  }
  const refused = await agency.api.resendInvitation(id, '6');
  expect([refused.outcome, retryAfter(refused)]).toEqual(['429 rate_limited', (19 * HOUR) / SECOND]);
  expect((await agency.api.resendInvitation(id, '5')).outcome).toBe('200');
  await service.pass(began + DAY - 1 - service.clock.now());
  expect((await agency.api.resendInvitation(id, '6')).outcome).toBe('429 rate_limited');
  await service.pass(1);
  expect((await agency.api.resendInvitation(id, '6')).outcome).toBe('200');
  expect(await mails(id)).toBe(7);
});

test('each creator has a separate allowance, which survives a restart', async () => {
  const agency = await service.agency();
  const [one, two] = [await agency.invited(), await agency.invited()];
  expect((await agency.api.resendInvitation(one.id, 'a')).outcome).toBe('200');
  expect((await agency.api.resendInvitation(two.id, 'b')).outcome).toBe('200');
  await service.restart();
  expect((await agency.api.resendInvitation(one.id, 'c')).outcome).toBe('429 rate_limited');
  expect((await agency.api.resendInvitation(one.id, 'a')).outcome).toBe('200');
  expect(await mails(one.id)).toBe(2);
});

test('another creator under the same key conflicts, also in a race; keys of scans and agencies are separate (D39)', async () => {
  const agency = await service.agency();
  const [one, two, active] = [await agency.invited(), await agency.invited(), await agency.active()];
  const race = await Promise.all([one, two].map(({ id }) => agency.api.resendInvitation(id, 'k')));
  expect(race.map(({ outcome }) => outcome).sort()).toEqual(['200', '409 idempotency_conflict']);
  const loser = race[0]?.status === 200 ? two : one;
  // It has lost nothing by it.
  expect((await agency.api.resendInvitation(loser.id, 'other')).outcome).toBe('200');
  expect((await agency.api.queueScan(active.id, 'k')).outcome).toBe('202');
  const elsewhere = await service.agency();
  expect((await elsewhere.api.resendInvitation((await elsewhere.invited()).id, 'k')).outcome).toBe('200');
});

test.each(UNKNOWN_OUTCOMES)(
  '%s: 504, and the same key settles it with one mail, another has to wait (D39)',
  async (_, fault) => {
    const agency = await service.agency();
    const { id } = await agency.invited();
    await platform.fault({ operation: 'resendInvitation', times: 1, ...fault });
    expect((await agency.api.resendInvitation(id, 'k')).outcome).toBe('504 provider_timeout');
    // What may have been sent counts.
    expect((await agency.api.resendInvitation(id, 'fresh')).outcome).toBe('429 rate_limited');
    const settled = await agency.api.resendInvitation(id, 'k');
    expect([settled.outcome, settled.body]).toEqual(['200', expect.objectContaining({ email_sent: true })]);
    expect(await mails(id)).toBe(2);
    await service.pass(MINUTE);
    expect((await agency.api.resendInvitation(id, 'fresh')).outcome).toBe('200');
  },
);

test('a resend of unknown outcome that was sent and accepted is settled as sent, and stays accepted', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await service.pass(HOUR);
  await platform.fault({ operation: 'resendInvitation', kind: 'close_after', times: 1 });
  expect((await agency.api.resendInvitation(id, 'k')).outcome).toBe('504 provider_timeout');
  await invitation(id, 'accept');
  expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'pending_onboarding' });
  const settled = await agency.api.resendInvitation(id, 'k');
  expect([settled.outcome, settled.body]).toEqual([
    '200',
    expect.objectContaining({ email_sent: true, enrollment_status: 'pending_onboarding' }),
  ]);
  expect(await mails(id)).toBe(2);
});

test('a resend of unknown outcome that was never sent, accepted by the old link, is published in its present state', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await platform.fault({ operation: 'resendInvitation', kind: 'close_before', times: 1 });
  expect((await agency.api.resendInvitation(id, 'k')).outcome).toBe('504 provider_timeout');
  await invitation(id, 'onboard');
  expect((await agency.api.resendInvitation(id, 'k')).outcome).toBe('409 creator_onboarding_completed');
  expect(await mails(id)).toBe(1);
});

test('a resend of an expired invitation without a free slot is 409, does not count, and leaves the key free (D39)', async () => {
  const agency = await service.agency({ slots: 1 });
  const { id } = await agency.invited();
  await service.pass(7 * DAY);
  await agency.change({ dashboard_slots: 1 });
  for (let attempt = 0; attempt < 7; attempt++) {
    expect((await agency.api.resendInvitation(id, 'k')).outcome).toBe('409 capacity_reached');
  }
  await agency.change({ dashboard_slots: 0 });
  expect((await agency.api.resendInvitation(id, 'k')).outcome).toBe('200');
  expect(await mails(id)).toBe(2);
});

test('an invitation that is neither pending nor expired is creator_onboarding_completed when onboarded, otherwise 404 (D39)', async () => {
  const agency = await service.agency();
  const ask = async ({ id }: Pick<Creator, 'id'>, key: string) => (await agency.api.resendInvitation(id, key)).outcome;
  const [accepted, onboarded, removed] = [await agency.invited(), await agency.invited(), await agency.invited()];
  // The service does not know it yet: the platform refuses, and is asked again.
  await invitation(accepted.id, 'accept');
  expect(await ask(accepted, 'a')).toBe('404 not_found');
  await invitation(onboarded.id, 'onboard');
  expect(await ask(onboarded, 'b')).toBe('409 creator_onboarding_completed');
  await agency.api.remove(removed.id);
  expect(await ask(removed, 'c')).toBe('404 not_found');
  // Now it does.
  expect(await ask(accepted, 'a')).toBe('404 not_found');
  await invitation(accepted.id, 'onboard');
  expect(await ask(accepted, 'a')).toBe('409 creator_onboarding_completed');
  expect(await ask(await agency.linked(), 'd')).toBe('409 creator_onboarding_completed');
  expect([await mails(accepted.id), await mails(onboarded.id), await mails(removed.id)]).toEqual([1, 1, 1]);
});

test('an invitation of unknown outcome is looked up before it is sent again', async () => {
  const agency = await service.agency();
  await platform.fault({ operation: 'invite', kind: 'close_after', times: 1 });
  await platform.fault({ operation: 'findInvitation', kind: 'status', status: 503, times: 3 });
  const { id } = await agency.invited();
  await platform.heal();
  expect((await agency.api.resendInvitation(id, 'k')).body).toMatchObject({ enrollment_status: 'invited' });
  expect(await mails(id)).toBe(2);
});

test('ids of others, malformed or unknown are 404; an earlier binding is creator_rebinding_required (D9, D21)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  const { api } = await service.agency();
  for (const wrong of [id, 'crt_1', 'crt_00000000000000000000000000']) {
    expect((await api.resendInvitation(wrong, 'k')).outcome).toBe('404 not_found');
  }
  await agency.change({ owner_user_id: '6f2c7a53-2f0b-4c1e-9f43-6d2a4f0c8b11' });
  await agency.bind();
  const renewed = await agency.issueKey();
  expect((await renewed.api.resendInvitation(id, 'k')).outcome).toBe('409 creator_rebinding_required');
  expect(await mails(id)).toBe(1);
});

test('the body must be the empty object, and there must be one key (D8, D45)', async () => {
  const agency = await service.agency();
  const path = `/v1/creators/${(await agency.invited()).id}/resend-invitation`;
  expect(refusedFields(await agency.api.write('POST', path, { force: true }, { 'idempotency-key': 'k' }))).toEqual([
    'force',
  ]);
  for (const header of [undefined, '', 'k'.repeat(121), ['a', 'b']]) {
    const headers = header === undefined ? {} : { 'idempotency-key': header };
    expect(refusedFields(await agency.api.write('POST', path, {}, headers))).toEqual(['Idempotency-Key']);
  }
  expect(bodyOf<Creator>(await agency.api.write('POST', path, {}, { 'idempotency-key': 'k' })).email_sent).toBe(true);
});
