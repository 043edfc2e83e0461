import { expect, it } from '@jest/globals';
import type { CreatorId } from '#kernel';
import { invitee, miaUser, native, submitted } from '../../domain/creator.fixtures.js';
import { rosterDecider } from '../../domain/enrollment/roster.js';
import { eraseCreator } from '../../domain/membership/erasure.js';
import { linkOfMia, stage } from '../../stage.fixtures.js';

const invitation = { invitee, externalId: 'ext-mia', identity: submitted, fingerprint: 'body' };

it('D72: an erasure waits for the invitation that is being sent again, and is then refused', async () => {
  const s = await stage();
  const retry = () => s.inviteCreator(s.scope, invitation, s.context);
  const send = s.platform.invite.bind(s.platform);
  const sent: CreatorId[] = [];
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  s.platform.invite = async (agencyId, request) => {
    sent.push(request.reference);
    if (sent.length === 2) {
      asked.resolve();
      await answered.promise;
    }
    return send(agencyId, request);
  };
  s.platform.outcomes.set('invite', { outcome: 'refused', code: 'invitation_rejected' });
  await expect(retry()).rejects.toMatchObject({ code: 'invalid_request' });

  const retried = retry();
  await asked.promise;
  const creator = await s.erasure.load(sent[0] as CreatorId);
  const erasing = s.erasure.record(creator, s.context);
  answered.resolve();
  await expect(erasing).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await retried).toMatchObject({ creator: { enrollment: { status: 'invited' } }, emailSent: true });
  expect((await s.creators.recorded(creator.id)).state).toMatchObject({ membership: { status: 'current' } });
});

it('D72: an erasure that was interrupted between its two streams records the hashes when it is repeated', async () => {
  const s = await stage();
  s.platform.users.set(miaUser, native());
  const { creatorId } = (await s.linkCreator(s.scope, linkOfMia, s.context)).creator;
  await s.creatorRepository.update(creatorId, s.context, eraseCreator);
  await s.erasure.record(await s.erasure.load(creatorId), s.context);
  const { state: roster } = await s.runner.load(rosterDecider, s.scope.workspaceId);
  expect(roster.creators.get(creatorId)).toMatchObject({ isErased: true });
  const again = s.linkCreator(s.scope, { ...linkOfMia, fingerprint: 'other' }, s.context);
  await expect(again).rejects.toMatchObject({ code: 'external_id_conflict' });
});

it('D72: an erasure waits for the change of names that is being written, and nothing is written after it', async () => {
  const s = await stage();
  s.platform.users.set(miaUser, native());
  const { creatorId } = (await s.linkCreator(s.scope, linkOfMia, s.context)).creator;
  const update = () => s.updateCreator(creatorId, s.scope, { aliases: ['mia'] }, s.context);
  const write = s.platform.updateIdentity.bind(s.platform);
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  s.platform.updateIdentity = async (agencyId, userId, change) => {
    asked.resolve();
    await answered.promise;
    return write(agencyId, userId, change);
  };

  const updated = update();
  await asked.promise;
  const erasing = s.erasure.record(await s.erasure.load(creatorId), s.context);
  const outcomes = Promise.allSettled([updated, erasing, update()]);
  answered.resolve();
  expect(await outcomes).toMatchObject([
    { status: 'fulfilled', value: { identity: { aliases: ['mimi', 'rosie', 'mia'] } } },
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'not_found' } },
  ]);
  expect(s.platform.calls.filter((call) => call === 'updateIdentity')).toHaveLength(2);
});
