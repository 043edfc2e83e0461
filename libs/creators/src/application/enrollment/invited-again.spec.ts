import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CreatorId } from '#kernel';
import { invitee, miaUser, native, nativeInvitation, submitted } from '../../domain/creator.fixtures.js';
import { linkOfMia, type Stage, stage } from '../../stage.fixtures.js';

const invitation = { invitee, externalId: 'ext-again', identity: submitted, fingerprint: 'again' };

let s: Stage;
let former: CreatorId;
let invited: CreatorId;

const load = async (creatorId: CreatorId) => (await s.creators.recorded(creatorId)).state;
const look = (creatorId: CreatorId) => s.observeCreator(creatorId, s.scope, s.context);
const readRoster = () => s.observeRoster(s.scope, { limit: 10 }, s.context);

/** The user of an earlier creator accepts the invitation of another external id. */
const accept = (status: 'accepted' | 'onboarded') => {
  const onboardingComplete = status === 'onboarded';
  s.platform.users.set(miaUser, native({ invitationReference: invited, onboardingComplete }));
  s.platform.invitations.set(invited, nativeInvitation(status, { id: `inv-${invited}`, userId: miaUser }));
};

beforeEach(async () => {
  s = await stage();
  s.platform.users.set(miaUser, native());
  former = (await s.linkCreator(s.scope, linkOfMia, s.context)).creator.creatorId;
  s.platform.users.delete(miaUser);
  await s.creators.reportMissing(former, s.context);
  await s.creators.reportMissing(former, s.context, s.clock.now() + 1);
  invited = (await s.inviteCreator(s.scope, invitation, s.context)).creator.creatorId;
});

describe('an invitation that the user of an earlier creator accepts (D74)', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a read of the invited creator', () => look(invited)],
    ['a page of the roster', () => readRoster()],
    [
      'an enrollment of the user',
      () => s.linkCreator(s.scope, { ...linkOfMia, externalId: 'other', fingerprint: 'o' }, s.context),
    ],
  ])('is found by %s: the earlier one returns, and the invited one ends as detached', async (_how, find) => {
    accept('onboarded');
    await find().catch(() => undefined);
    expect(await load(invited)).toMatchObject({ userId: null, enrollment: { status: 'detached' } });
    expect((await readRoster()).creators.map(({ creatorId }) => creatorId)).toEqual([former]);
    expect(await load(former)).toMatchObject({
      userId: miaUser,
      externalId: 'ext-mia',
      membership: { status: 'current' },
    });
  });

  it('is known before the onboarding is complete', async () => {
    accept('accepted');
    expect(await look(invited)).toMatchObject({ userId: null, enrollment: { status: 'detached' } });
    expect(await look(former)).toMatchObject({ membership: { status: 'current' } });
  });

  it('does not write what was submitted for the invited creator', async () => {
    accept('onboarded');
    await look(invited);
    s.platform.calls.length = 0;
    await s.settle(invited);
    await readRoster();
    expect(s.platform.calls).toEqual(['listRoster']);
  });

  it('leaves the invited one readable, unchanged when it is removed or repeated, and without protection', async () => {
    accept('onboarded');
    await look(invited);
    const detached = { creatorId: invited, externalId: 'ext-again', enrollment: { status: 'detached' } };
    expect(await s.removeCreator(invited, s.scope, s.context)).toMatchObject(detached);
    expect(await s.inviteCreator(s.scope, invitation, s.context)).toMatchObject({
      creator: detached,
      isNew: false,
      emailSent: false,
    });
    const activated = s.activateProtection(invited, s.scope, s.context);
    await expect(activated).rejects.toMatchObject({ code: 'creator_invitation_pending' });
    const updated = s.updateCreator(invited, s.scope, { displayName: 'Mia' }, s.context);
    await expect(updated).rejects.toMatchObject({ code: 'creator_invitation_pending' });
    const taken = s.inviteCreator(s.scope, { ...invitation, fingerprint: 'other' }, s.context);
    await expect(taken).rejects.toMatchObject({ code: 'external_id_conflict' });
  });

  it('D72: does not restore an erased creator', async () => {
    await s.creatorRepository.update(former, s.context, () => [{ type: 'creator.personalDataErased.v1', data: {} }]);
    accept('onboarded');
    expect(await look(invited)).toMatchObject({ enrollment: { status: 'detached' } });
    expect((await readRoster()).creators).toEqual([]);
    expect(await load(former)).toMatchObject({ membership: { status: 'erased' } });
  });
});

describe('the enrollment of a user whose data was erased (D83)', () => {
  it.each(['ext-mia', 'ext-new'])(
    'is 404 under %s, and changes nothing here or at the platform',
    async (externalId) => {
      await s.creatorRepository.update(former, s.context, () => [{ type: 'creator.personalDataErased.v1', data: {} }]);
      s.platform.users.set(miaUser, native());
      s.platform.calls.length = 0;
      const head = await s.log.head();
      const again = s.linkCreator(s.scope, { ...linkOfMia, externalId, fingerprint: 'new' }, s.context);
      await expect(again).rejects.toMatchObject({ code: 'not_found' });
      expect(await s.log.head()).toBe(head);
      expect(s.platform.calls).toEqual(['getCreator']);
    },
  );
});
