import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, DomainError } from '#kernel';
import { invitee, submitted } from '../../domain/creator.fixtures.js';
import { invitationResendIdOf } from '../../domain/enrollment/invitation-resend.js';
import type { NativeInvitation } from '../../domain/native-records.js';
import { type Stage, stage } from '../../stage.fixtures.js';

let s: Stage;
let mia: CreatorId;
let sent: NativeInvitation;

const look = () => s.observeCreator(mia, s.scope, s.context);
const resend = (key = 'key') => s.resendInvitation(mia, s.scope, key, s.context);
const platformHas = (change: Partial<NativeInvitation>) => s.platform.invitations.set(mia, { ...sent, ...change });
const status = async () => {
  const { state } = await s.creators.recorded(mia);
  return state.status === 'known' ? state.enrollment : undefined;
};

beforeEach(async () => {
  s = await stage();
  const request = { invitee, externalId: 'ext-mia', identity: submitted, fingerprint: 'body' };
  mia = (await s.inviteCreator(s.scope, request, s.context)).creator.creatorId;
  sent = s.platform.invitations.get(mia) as NativeInvitation;
});

describe("the platform's latest word on an invitation (D76)", () => {
  it('counts even if the invitation ends earlier: one that was sent again expires', async () => {
    await resend();
    platformHas({ status: 'pending', expiresAt: sent.expiresAt - 500 });
    await look();
    expect(await status()).toMatchObject({ status: 'invited', expiresAt: sent.expiresAt - 500 });
    platformHas({ status: 'expired', expiresAt: sent.expiresAt - 500 });
    await look();
    expect(await status()).toMatchObject({ status: 'expired' });
  });

  it('is not what was read before the invitation was sent again: it is read again', async () => {
    platformHas({ status: 'expired' });
    await look();
    s.platform.duringRead = () => resend();
    await look();
    expect(await status()).toMatchObject({ status: 'invited', expiresAt: sent.expiresAt + 1_000 });
  });

  it('is not the answer to a resend during which something else was recorded: the invitation is read', async () => {
    const answer = s.platform.resendInvitation.bind(s.platform);
    s.platform.resendInvitation = async (...asked) => {
      const effect = await answer(...asked);
      platformHas({ status: 'accepted' });
      await look();
      return effect;
    };
    expect(await resend()).toMatchObject({
      emailSent: true,
      creator: { enrollment: { status: 'pending_onboarding' } },
    });
  });

  it('is not the remembered answer to a resend that is repeated: the invitation is read', async () => {
    s.platform.outcomes.set('resendInvitation', { outcome: 'unknown', error: new DomainError('provider_timeout') });
    await expect(resend()).rejects.toMatchObject({ code: 'provider_timeout' });
    s.platform.resent.set(invitationResendIdOf(s.scope.agencyId, 'key'), {
      ...sent,
      expiresAt: sent.expiresAt + 1_000,
    });
    platformHas({ status: 'expired' });
    expect(await resend()).toMatchObject({ emailSent: true, creator: { enrollment: { status: 'expired' } } });
  });
});

describe('an invitation that the platform no longer knows (D76)', () => {
  beforeEach(() => s.platform.invitations.clear());

  it('is cancelled after two lookups', async () => {
    expect(await look()).toMatchObject({ enrollment: { status: 'invited' } });
    expect(await look()).toMatchObject({ enrollment: { status: 'cancelled' } });
  });

  it('is unchanged if the second lookup finds it', async () => {
    await look();
    platformHas({});
    await look();
    s.platform.invitations.clear();
    expect(await look()).toMatchObject({ enrollment: { status: 'invited' } });
  });

  it('counts two concurrent lookups as one', async () => {
    await Promise.all([look(), look()]);
    expect(await status()).toMatchObject({ status: 'invited' });
  });

  it('can be removed immediately, and again', async () => {
    const cancelled = { enrollment: { status: 'cancelled' } };
    expect(await s.removeCreator(mia, s.scope, s.context)).toMatchObject(cancelled);
    expect(await s.removeCreator(mia, s.scope, s.context)).toMatchObject(cancelled);
  });

  it('is not sent again', async () => {
    await expect(resend()).rejects.toMatchObject({ code: 'not_found' });
    await expect(resend('another')).rejects.toMatchObject({ code: 'not_found' });
    expect(await status()).toMatchObject({ status: 'cancelled' });
  });
});
