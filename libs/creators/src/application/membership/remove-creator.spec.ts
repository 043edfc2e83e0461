import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, DomainError } from '#kernel';
import { invitee, miaUser, native, submitted } from '../../domain/creator.fixtures.js';
import { rosterDecider } from '../../domain/enrollment/roster.js';
import { digestOf } from '../../domain/enrollment/roster-entry.js';
import type { NativeInvitation } from '../../domain/native-records.js';
import { type Stage, stage } from '../../stage.fixtures.js';

const timeout = { outcome: 'unknown', error: new DomainError('provider_timeout') } as const;
const invitation = { externalId: 'ext-mia', identity: submitted, invitee, fingerprint: 'body' };

let s: Stage;
let mia: CreatorId;
const invite = async () => {
  mia = (await s.inviteCreator(s.scope, invitation, s.context)).creator.creatorId;
  s.platform.calls.length = 0;
};
const remove = (scope = s.scope) => s.removeCreator(mia, scope, s.context);
const becomes = (change: Partial<NativeInvitation>) => {
  const known = s.platform.invitations.get(mia);
  if (known !== undefined) s.platform.invitations.set(mia, { ...known, ...change });
};
const code = (expected: string) => ({ code: expected });

beforeEach(async () => {
  s = await stage();
});

describe('removing', () => {
  it.each([
    ['pending', 'cancelled'],
    ['expired', 'cancelled'],
    ['accepted', 'detached'],
  ] as const)('D38: withdraws an invitation that is %s in one call', async (status, as) => {
    await invite();
    becomes({ status });
    expect(await remove()).toMatchObject({ enrollment: { status: as } });
    expect(s.platform.calls).toEqual(['withdrawInvitation']);
  });

  it('D38: asks nothing of the platform the second time', async () => {
    await invite();
    await remove();
    s.platform.calls.length = 0;
    const head = await s.log.head();
    expect(await remove()).toMatchObject({ enrollment: { status: 'cancelled' } });
    expect([s.platform.calls, await s.log.head()]).toEqual([[], head]);
  });

  it('withdraws once for two concurrent requests', async () => {
    await invite();
    await Promise.all([remove(), remove()]);
    expect(s.platform.calls).toEqual(['withdrawInvitation']);
  });

  it('records nothing if the outcome is unknown; a repeat continues from there', async () => {
    await invite();
    s.platform.outcomes.set('withdrawInvitation', timeout);
    await expect(remove()).rejects.toMatchObject(code('provider_timeout'));
    expect((await s.creators.recorded(mia)).state).toMatchObject({ enrollment: { status: 'invited' } });
    expect(await remove()).toMatchObject({ enrollment: { status: 'cancelled' } });
  });

  it('D38: a creator that was onboarded during the removal stays, and is shown as onboarded', async () => {
    await invite();
    becomes({ status: 'onboarded', userId: miaUser });
    s.platform.users.set(miaUser, native());
    await expect(remove()).rejects.toMatchObject(code('creator_onboarding_completed'));
    expect((await s.creators.recorded(mia)).state).toMatchObject({ userId: miaUser, enrollment: { status: 'linked' } });
    s.platform.calls.length = 0;
    await expect(remove()).rejects.toMatchObject(code('creator_onboarding_completed'));
    expect(s.platform.calls).toEqual([]);
  });

  it('is refused for an onboarded creator even if the platform cannot be asked for the present state', async () => {
    await invite();
    becomes({ status: 'onboarded', userId: miaUser });
    s.platform.failure = new DomainError('provider_unavailable');
    await expect(remove()).rejects.toMatchObject(code('creator_onboarding_completed'));
  });

  it('D76: an invitation that the platform no longer knows is cancelled', async () => {
    await invite();
    s.platform.outcomes.set('withdrawInvitation', { outcome: 'refused', code: 'not_found' });
    expect(await remove()).toMatchObject({ enrollment: { status: 'cancelled' } });
    expect(await remove()).toMatchObject({ enrollment: { status: 'cancelled' } });
  });

  it('is provider_invalid_response after an unknown refusal, or if the invitation is still pending', async () => {
    await invite();
    s.platform.outcomes.set('withdrawInvitation', { outcome: 'refused', code: 'odd' });
    await expect(remove()).rejects.toMatchObject(code('provider_invalid_response'));
    const answer = { outcome: 'done', value: { ...s.platform.invitations.get(mia), status: 'pending' } };
    s.platform.outcomes.set('withdrawInvitation', answer as never);
    await expect(remove()).rejects.toMatchObject(code('provider_invalid_response'));
    expect((await s.creators.recorded(mia)).state).toMatchObject({ enrollment: { status: 'invited' } });
  });

  it('D31: cancels a failed enrollment without a call', async () => {
    s.platform.outcomes.set('invite', { outcome: 'refused', code: 'invitation_rejected' });
    await expect(s.inviteCreator(s.scope, invitation, s.context)).rejects.toThrow();
    const { state: roster } = await s.runner.load(rosterDecider, s.scope.workspaceId);
    mia = roster.byExternalId.get(digestOf('ext-mia')) ?? mia;
    s.platform.calls.length = 0;
    expect(await remove()).toMatchObject({ enrollment: { status: 'cancelled' }, invitationId: null });
    expect(s.platform.calls).toEqual([]);
  });

  it('D21: checks the binding first', async () => {
    await invite();
    await expect(remove({ ...s.scope, epoch: 2 })).rejects.toMatchObject(code('creator_rebinding_required'));
    expect(s.platform.calls).toEqual([]);
  });
});

describe('removing an invitation that may have been sent', () => {
  it('looks it up by its reference, and withdraws what is there', async () => {
    s.platform.outcomes.set('invite', timeout);
    await invite();
    s.platform.invitations.set(mia, {
      id: 'inv-late',
      status: 'pending',
      userId: null,
      emailSent: true,
      expiresAt: 1_000_000,
    });
    expect(await remove()).toMatchObject({ enrollment: { status: 'cancelled' }, invitationId: 'inv-late' });
    expect(s.platform.calls).toEqual(['findInvitation', 'withdrawInvitation']);
  });

  it('promises nothing if it finds nothing, because a mail may be on its way', async () => {
    s.platform.outcomes.set('invite', timeout);
    await invite();
    await expect(remove()).rejects.toMatchObject(code('provider_unavailable'));
    expect(s.platform.calls).toEqual(['findInvitation']);
    expect((await s.creators.recorded(mia)).state).toMatchObject({ enrollment: { status: 'uncertain' } });
  });
});
