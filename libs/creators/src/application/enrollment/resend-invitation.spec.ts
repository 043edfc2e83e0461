import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, DomainError, MINUTE } from '#kernel';
import { invitee, miaUser, native, submitted } from '../../domain/creator.fixtures.js';
import type { NativeInvitation } from '../../domain/native-records.js';
import { type Stage, stage } from '../../stage.fixtures.js';

const lost = { outcome: 'unknown', error: new DomainError('provider_unavailable') } as const;
const refusal = (code: string) => ({ outcome: 'refused', code }) as const;

let s: Stage;
let mia: CreatorId;
let eve: CreatorId;
const invite = async (externalId: string) => {
  const person = { ...invitee, email: `${externalId}@lumen.example` };
  const request = { externalId, identity: submitted, invitee: person, fingerprint: externalId };
  return (await s.inviteCreator(s.scope, request, s.context)).creator.creatorId;
};
const resend = (key = 'k', creatorId = mia, scope = s.scope) => s.resendInvitation(creatorId, scope, key, s.context);
const change = (of: Partial<NativeInvitation>) => {
  const known = s.platform.invitations.get(mia);
  if (known !== undefined) s.platform.invitations.set(mia, { ...known, ...of });
};
const code = (expected: string) => ({ code: expected });
const counted = async () => {
  const { state } = await s.creators.recorded(mia);
  return state.status === 'unknown' ? [] : state.resends;
};

beforeEach(async () => {
  s = await stage();
  mia = await invite('ext-mia');
  eve = await invite('ext-eve');
  s.platform.calls.length = 0;
});

describe('sending an invitation again', () => {
  it('D39: is one call under the derived key', async () => {
    expect(await resend()).toMatchObject({ creator: { enrollment: { status: 'invited' } }, emailSent: true });
    expect(s.platform.calls).toEqual(['resendInvitation']);
    expect([...s.platform.resent.keys()]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(await counted()).toHaveLength(1);
  });

  it('D39: a replay asks nothing, counts for nothing, and precedes every gate', async () => {
    await resend();
    s.platform.calls.length = 0;
    const replay = await resend('k', mia, { ...s.scope, epoch: 2 });
    expect(replay).toMatchObject({ emailSent: true });
    expect([s.platform.calls, (await counted()).length]).toEqual([[], 1]);
  });

  it('D39: has to wait under another key, and a refusal for that consumes no key', async () => {
    await resend('a');
    await expect(resend('b')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 });
    expect((await resend('b', eve)).emailSent).toBe(true);
    s.clock.advance(MINUTE);
    await expect(resend('b')).rejects.toMatchObject(code('idempotency_conflict'));
    expect((await resend('c')).emailSent).toBe(true);
  });

  it('D21: checks the binding before anything else', async () => {
    await expect(resend('k', mia, { ...s.scope, epoch: 2 })).rejects.toMatchObject(code('creator_rebinding_required'));
    expect([s.platform.calls, await counted()]).toEqual([[], []]);
  });
});

describe('a resend of unknown outcome', () => {
  it('counts, and is settled by the same call under the same key', async () => {
    s.platform.outcomes.set('resendInvitation', lost);
    await expect(resend()).rejects.toMatchObject(code('provider_timeout'));
    await expect(resend('fresh')).rejects.toMatchObject(code('rate_limited'));
    expect(await resend()).toMatchObject({ emailSent: true });
    expect([s.platform.resent.size, (await counted()).length]).toEqual([1, 1]);
  });

  it('is settled even if the invitation is no longer pending, because the mail may have been sent', async () => {
    s.platform.outcomes.set('resendInvitation', lost);
    await expect(resend()).rejects.toThrow();
    change({ status: 'accepted', userId: miaUser });
    await s.observeCreator(mia, s.scope, s.context);
    await expect(resend()).rejects.toMatchObject(code('not_found'));
    expect(s.platform.calls.filter((call) => call === 'resendInvitation')).toHaveLength(2);
    expect(await counted()).toEqual([]);
  });

  it('is continued under the same key if a crash left the intent without a call', async () => {
    const { resendInvitation } = s.platform;
    s.platform.resendInvitation = () => Promise.reject(new Error('crashed'));
    await expect(resend()).rejects.toThrow('crashed');
    s.platform.resendInvitation = resendInvitation;
    expect((await resend()).emailSent).toBe(true);
    expect(await counted()).toHaveLength(1);
  });
});

describe('a resend that the platform refuses', () => {
  it('counts for nothing and leaves the key free if there is no capacity', async () => {
    for (let attempt = 0; attempt < 7; attempt++) {
      s.platform.outcomes.set('resendInvitation', refusal('capacity_reached'));
      await expect(resend()).rejects.toMatchObject(code('capacity_reached'));
    }
    expect(await counted()).toEqual([]);
    expect((await resend()).emailSent).toBe(true);
  });

  it('D39: is creator_onboarding_completed if the creator is onboarded by then, and otherwise 404', async () => {
    change({ status: 'accepted', userId: miaUser });
    await expect(resend()).rejects.toMatchObject(code('not_found'));
    expect((await s.creators.recorded(mia)).state).toMatchObject({ enrollment: { status: 'pending_onboarding' } });
    change({ status: 'onboarded' });
    s.platform.users.set(miaUser, native());
    await expect(resend()).rejects.toMatchObject(code('creator_onboarding_completed'));
    expect(await counted()).toEqual([]);
  });

  it('is provider_invalid_response for any other reason', async () => {
    s.platform.outcomes.set('resendInvitation', refusal('idempotency_conflict'));
    await expect(resend()).rejects.toMatchObject(code('provider_invalid_response'));
    s.platform.invitations.delete(mia);
    await expect(resend()).rejects.toMatchObject(code('not_found'));
  });
});

describe('the key of a resend', () => {
  it('D39: is for one creator, and another one that loses the race for it has used up no resend', async () => {
    const race = await Promise.allSettled([resend('k', mia), resend('k', eve)]);
    expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const loser = race[0]?.status === 'rejected' ? mia : eve;
    expect((await s.creators.recorded(loser)).state).toMatchObject({ resends: [] });
    await expect(resend('k', loser)).rejects.toMatchObject(code('idempotency_conflict'));
  });

  it('sends once for concurrent requests', async () => {
    await Promise.all([resend(), resend(), resend()]);
    expect(s.platform.calls).toEqual(['resendInvitation']);
  });
});

it('D39: nothing is sent to a creator that has no invitation', async () => {
  const link = { userId: miaUser, externalId: 'ext-link', identity: submitted, fingerprint: 'link' };
  s.platform.users.set(miaUser, native());
  const { creatorId } = (await s.linkCreator(s.scope, link, s.context)).creator;
  s.platform.calls.length = 0;
  await expect(resend('k', creatorId)).rejects.toMatchObject(code('creator_onboarding_completed'));
  await s.removeCreator(eve, s.scope, s.context);
  await expect(resend('k', eve)).rejects.toMatchObject(code('not_found'));
  expect(s.platform.calls).not.toContain('resendInvitation');
});
