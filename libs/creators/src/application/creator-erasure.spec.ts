import { expect, it } from '@jest/globals';
import type { CreatorId } from '#kernel';
import { invitee, submitted } from '../domain/creator.fixtures.js';
import { stage } from '../platform.fixtures.js';

const invitation = { invitee, externalId: 'ext-mia', identity: submitted, fingerprint: 'body' };

it('D72: an erasure waits for the invitation that is being sent again, and is then refused', async () => {
  const s = stage();
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
  await expect(retry()).rejects.toMatchObject({ code: 'provider_invalid_response' });

  const retried = retry();
  await asked.promise;
  const creator = await s.erasure.load(sent[0] as CreatorId);
  const erasing = s.erasure.record(creator, s.context);
  answered.resolve();
  await expect(erasing).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await retried).toMatchObject({ creator: { enrollment: { status: 'invited' } }, emailSent: true });
  expect(await s.creators.load(creator.id)).toMatchObject({ membership: { status: 'current' } });
});
