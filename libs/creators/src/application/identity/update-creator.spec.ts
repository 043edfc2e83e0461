import { beforeEach, describe, expect, it } from '@jest/globals';
import { invitee, miaUser, native, submitted } from '../../domain/creator.fixtures.js';
import type { IdentityChange } from '../../domain/identity/identity.js';
import { linkOfMia, type Stage, stage } from '../../stage.fixtures.js';

const invitation = { invitee, externalId: 'ext-mia', identity: submitted, fingerprint: 'body' };

let s: Stage;
const enroll = () => s.linkCreator(s.scope, linkOfMia, s.context);

beforeEach(async () => {
  s = await stage();
  s.platform.users.set(miaUser, native());
});

describe('changing the identity', () => {
  const update = (change: IdentityChange) =>
    enroll().then(({ creator }) => s.updateCreator(creator.creatorId, s.scope, change, s.context));

  it('sets the name and merges the rest', async () => {
    const { identity } = await update({ displayName: 'Mia!', aliases: ['new', 'rosie'] });
    expect(identity).toMatchObject({ displayName: 'Mia!', aliases: ['mimi', 'rosie', 'new'] });
  });

  it('D37: an empty array writes nothing', async () => {
    await update({ aliases: [] });
    expect(s.platform.calls.filter((call) => call === 'updateIdentity')).toHaveLength(1);
  });

  const writes = () => s.platform.calls.filter((call) => call === 'updateIdentity').length;
  const atPlatform = () => s.platform.users.get(miaUser)?.identity;

  it.each([
    ['composed, and decomposed there', 'Zoe\u0308', 'Zo\u00eb'],
    ['with an invisible character there', '\u200bTalia', 'Talia'],
    ['with a blank there', 'Talia ', 'Talia'],
  ])('D33: does not write an alias that the platform has: %s', async (_, held, alias) => {
    const { creator } = await enroll();
    s.platform.users.set(miaUser, native({ identity: { ...submitted, aliases: [held] } }));
    const { identity } = await s.updateCreator(creator.creatorId, s.scope, { aliases: [alias, 'new'] }, s.context);
    expect(identity.aliases).toEqual([alias, 'new']);
    expect(atPlatform()?.aliases).toEqual([held, 'new']);
  });

  it('D33: writes nothing if all of it is there already', async () => {
    const { displayName, aliases, profiles } = submitted;
    for (const change of [{ displayName }, { aliases }, { profiles }, submitted]) {
      await update(change);
      expect(writes()).toBe(1);
    }
  });

  it('D33: writes an alias and a name that the platform does not have any more', async () => {
    const { creator } = await enroll();
    s.platform.users.set(miaUser, native());
    const { displayName, aliases } = submitted;
    await s.updateCreator(creator.creatorId, s.scope, { displayName, aliases }, s.context);
    expect(atPlatform()).toMatchObject({ displayName, aliases: ['mimi', 'rosie'] });
  });

  it('D37: is creator_invitation_pending before onboarding', async () => {
    const { creator } = await s.inviteCreator(s.scope, invitation, s.context);
    await expect(s.updateCreator(creator.creatorId, s.scope, { displayName: 'M' }, s.context)).rejects.toMatchObject({
      code: 'creator_invitation_pending',
    });
  });

  it('D21: is refused for a creator of an earlier binding', async () => {
    const { creator } = await enroll();
    await expect(
      s.updateCreator(creator.creatorId, { ...s.scope, epoch: 2 }, { displayName: 'M' }, s.context),
    ).rejects.toMatchObject({ code: 'creator_rebinding_required' });
  });

  it('D77: occupies the slot again before it shows a creator that a synchronization missed during the call', async () => {
    const { creatorId } = (await enroll()).creator;
    await s.activateProtection(creatorId, s.scope, s.context);
    s.platform.duringRead = async () => {
      s.platform.slots.clear();
      await s.creators.reportMissing(creatorId, s.context);
    };
    const updated = await s.updateCreator(creatorId, s.scope, { displayName: 'Mia!' }, s.context);
    expect(updated).toMatchObject({ membership: { status: 'current' }, protection: { status: 'active' } });
    expect([...s.platform.slots]).toEqual([miaUser]);
  });

  it('D43: is not_found for a creator that is no longer a member', async () => {
    const { creator } = await enroll();
    s.platform.users.clear();
    await expect(s.updateCreator(creator.creatorId, s.scope, { displayName: 'M' }, s.context)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('D43: is not_found where the platform refuses the change, also if it shows the creator again', async () => {
    const { creatorId } = (await enroll()).creator;
    const update = () => s.updateCreator(creatorId, s.scope, { aliases: ['new'] }, s.context);
    s.platform.outcomes.set('updateIdentity', { outcome: 'refused', code: 'not_found' });
    await expect(update()).rejects.toMatchObject({ code: 'not_found' });
    expect((await update()).identity.aliases).toContain('new');
  });
});
