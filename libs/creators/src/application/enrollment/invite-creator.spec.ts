import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { invitee, miaUser, native, submitted } from '../../domain/creator.fixtures.js';
import { type Stage, stage } from '../../stage.fixtures.js';

const timeout = { outcome: 'unknown', error: new DomainError('provider_timeout') } as const;
const invitation = { invitee, externalId: 'ext-mia', identity: submitted, fingerprint: 'body' };

let s: Stage;
const invite = (changes: Partial<typeof invitation> = {}) =>
  s.inviteCreator(s.scope, { ...invitation, ...changes }, s.context);

beforeEach(async () => {
  s = await stage();
  s.platform.users.set(miaUser, native());
});

describe('inviting', () => {
  it('sends one invitation, and a retry sends none', async () => {
    const first = await invite();
    expect(first).toMatchObject({ isNew: true, emailSent: true, creator: { enrollment: { status: 'invited' } } });
    s.platform.calls.length = 0;
    const retry = await invite();
    expect(retry).toMatchObject({ isNew: false, emailSent: false, creator: { creatorId: first.creator.creatorId } });
    expect(s.platform.calls).toEqual([]);
  });

  it('D26: is new for one of two identical requests, also where the second one gets the lease first', async () => {
    const append = s.log.append.bind(s.log);
    const isNew: boolean[] = [];
    s.log.append = async (...admission) => {
      s.log.append = append;
      const appended = await append(...admission);
      isNew.push((await invite()).isNew);
      return appended;
    };
    isNew.push((await invite()).isNew);
    expect(isNew).toEqual([true, false]);
  });

  it('D28: is uncertain if the outcome is unknown, and is not repeated within the request', async () => {
    s.platform.outcomes.set('invite', timeout);
    expect(await invite()).toMatchObject({
      isNew: true,
      emailSent: false,
      creator: { enrollment: { status: 'uncertain' } },
    });
    expect(s.platform.calls.filter((call) => call === 'invite')).toHaveLength(1);
  });

  it('D28: looks an uncertain invitation up by reference before a retry sends anything', async () => {
    s.platform.outcomes.set('invite', timeout);
    const { creator } = await invite();
    const found = { id: 'inv-found', status: 'pending', userId: null, emailSent: true, expiresAt: 5 } as const;
    s.platform.invitations.set(creator.creatorId, found);
    expect(await invite()).toMatchObject({ isNew: false, creator: { invitationId: 'inv-found' } });
    expect(s.platform.calls.filter((call) => call === 'invite')).toHaveLength(1);
  });

  it('D28: sends an uncertain invitation again under the same reference if the platform has none', async () => {
    s.platform.outcomes.set('invite', timeout);
    const { creator } = await invite();
    const retry = await invite();
    expect(retry.creator).toMatchObject({ creatorId: creator.creatorId, enrollment: { status: 'invited' } });
    expect([...s.platform.invitations.keys()]).toEqual([creator.creatorId]);
  });

  it('D28: fails if the platform refuses, and the same payload tries again under the same reference', async () => {
    s.platform.outcomes.set('invite', { outcome: 'refused', code: 'invitation_rejected' });
    const refusal = await invite().catch((error: unknown) => error);
    const accepted = await invite();
    const { creator } = accepted;
    expect(accepted).toMatchObject({ isNew: true, emailSent: true });
    expect(refusal).toMatchObject({
      code: 'invalid_request',
      fields: [{ field: 'email', message: expect.stringContaining('use another one') }],
      creatorId: creator.creatorId,
    });
    expect(creator.enrollment.status).toBe('invited');
    expect([...s.platform.invitations.keys()]).toEqual([creator.creatorId]);
  });

  it('D28: begins with the first try that was not refused, also if the outcome of that one is unknown', async () => {
    for (const code of ['invitation_rejected', 'invitation_rejected', 'not_found']) {
      s.platform.outcomes.set('invite', { outcome: 'refused', code });
      await expect(invite()).rejects.toThrow();
    }
    s.platform.outcomes.set('invite', timeout);
    expect(await invite()).toMatchObject({
      isNew: true,
      emailSent: false,
      creator: { enrollment: { status: 'uncertain' } },
    });
    expect(await invite()).toMatchObject({ isNew: false, creator: { enrollment: { status: 'invited' } } });
    expect(await invite()).toMatchObject({ isNew: false, emailSent: false });
  });

  it.each(['not_found', 'idempotency_conflict'])(
    'D28: a refusal of another kind, %s, is not the fault of the address',
    async (code) => {
      s.platform.outcomes.set('invite', { outcome: 'refused', code });
      await expect(invite()).rejects.toMatchObject({ code: 'provider_invalid_response' });
    },
  );

  it('D28: keeps only the reservation of the external id by that payload if there is no capacity', async () => {
    s.platform.outcomes.set('invite', { outcome: 'refused', code: 'capacity_reached' });
    await expect(invite()).rejects.toMatchObject({ code: 'capacity_reached' });
    await expect(invite({ fingerprint: 'another' })).rejects.toMatchObject({ code: 'external_id_conflict' });
    expect(await invite()).toMatchObject({ isNew: true, creator: { enrollment: { status: 'invited' } } });
  });

  it('D21: a read under a later binding rebinds an invitee, and no read rebinds a member', async () => {
    const later = { ...s.scope, epoch: 2 };
    const { creatorId } = (await invite()).creator;
    await expect(s.removeCreator(creatorId, later, s.context)).rejects.toMatchObject({
      code: 'creator_rebinding_required',
    });
    expect(await s.observeCreator(creatorId, later, s.context)).toMatchObject({ epoch: 2 });
    // A request that was verified before the rebinding does not restore the earlier binding.
    expect(await s.observeCreator(creatorId, s.scope, s.context)).toMatchObject({ epoch: 2 });
    expect(await s.removeCreator(creatorId, later, s.context)).toMatchObject({ enrollment: { status: 'cancelled' } });
    const { creators } = await s.observeRoster(s.scope, { limit: 10 }, s.context);
    for (const member of creators) {
      expect(await s.observeCreator(member.creatorId, later, s.context)).toMatchObject({ epoch: 1 });
    }
    expect(creators).toHaveLength(1);
  });
});
