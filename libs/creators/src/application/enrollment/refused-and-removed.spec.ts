import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LogConsumer } from '#jobs';
import { type CreatorId, MINUTE, type UserId } from '#kernel';
import { contextOf, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import {
  byInvitation,
  eveUser,
  fact,
  invitee,
  mia,
  miaUser,
  native,
  submitted,
  workspaceId,
} from '../../domain/creator.fixtures.js';
import { admitted, miaInvited, request } from '../../domain/enrollment/roster.fixtures.js';
import { rosterDecider } from '../../domain/enrollment/roster.js';
import { EnrollmentCount } from '../../processes/enrollment-count.js';
import { linkOfMia, type Stage, stage } from '../../stage.fixtures.js';
import { ObserveRoster } from '../membership/observe-creator.js';
import { AdvanceEnrollment } from './advance-enrollment.js';
import { InviteCreator } from './invite-creator.js';

const wrong = { invitee, externalId: 'ext-mia', identity: submitted, fingerprint: 'wrong address' };
const right = { ...wrong, invitee: { ...invitee, email: 'mia@right.example' }, fingerprint: 'right address' };

let s: Stage;
let counting: LogConsumer;
const invite = (body = right) => s.commands.execute(new InviteCreator(s.scope, body, s.context));
const mails = () => s.platform.calls.filter((call) => call === 'invite').length;
const counted = async () => {
  const { events, ...page } = await s.log.readLog({ after: 0, limit: 1_000, types: counting.types });
  await counting.handle({ events, ...page });
  return (await s.runner.load(rosterDecider, workspaceId)).state.counted;
};
const refuse = async (body = wrong): Promise<CreatorId> => {
  s.platform.outcomes.set('invite', { outcome: 'refused', code: 'invitation_rejected' });
  const refusal = await invite(body).catch((error: unknown) => error);
  return (refusal as { readonly creatorId: CreatorId }).creatorId;
};
const refuseAndRemove = async (body = wrong): Promise<CreatorId> => {
  const creatorId = await refuse(body);
  await s.removeCreator(creatorId, s.scope, s.context);
  return creatorId;
};

beforeEach(async () => {
  s = await stage();
  counting = s.get(EnrollmentCount);
});

describe('D25: after a refused enrollment was removed', () => {
  it('another payload is enrolled under its external id, as the same creator, and counts once', async () => {
    const creatorId = await refuseAndRemove();
    expect(await counted()).toBe(0);
    const enrolled = await invite();
    expect(enrolled).toMatchObject({
      isNew: true,
      emailSent: true,
      creator: { creatorId, invitee: right.invitee, enrollment: { status: 'invited' } },
    });
    expect(await invite()).toMatchObject({ isNew: false, creator: { creatorId } });
    expect(mails()).toBe(2);
    // A consumer that has lost its position counts the earlier enrollment again.
    expect(await counted()).toBe(1);
  });

  it('the refused payload remains a repeat, and conflicts once another one is enrolled', async () => {
    await refuseAndRemove();
    expect(await invite(wrong)).toMatchObject({ isNew: false, creator: { enrollment: { status: 'cancelled' } } });
    expect(mails()).toBe(1);
    await invite();
    await expect(invite(wrong)).rejects.toMatchObject({ code: 'external_id_conflict' });
  });

  it('this is possible again and again', async () => {
    const ids = [await refuseAndRemove(), await refuseAndRemove(right), await refuseAndRemove(wrong)];
    expect(new Set(ids).size).toBe(1);
    expect((await invite()).creator).toMatchObject({ creatorId: ids[0], enrollment: { status: 'invited' } });
  });

  it('a user is linked under its external id, as the same creator', async () => {
    const creatorId = await refuseAndRemove();
    s.platform.users.set(miaUser, native());
    const { creator, isNew } = await s.linkCreator(s.scope, linkOfMia, s.context);
    expect(isNew).toBe(true);
    expect(creator).toMatchObject({
      creatorId,
      userId: miaUser,
      enrollment: { status: 'linked', via: 'link' },
      identityToWrite: null,
      identity: { aliases: ['mimi', 'rosie'] },
    });
    expect(await s.linkCreator(s.scope, linkOfMia, s.context)).toMatchObject({ isNew: false, creator: { creatorId } });
  });

  it('a user that the roster has imported is another creator, and conflicts', async () => {
    await refuseAndRemove();
    s.platform.users.set(miaUser, native());
    await s.commands.execute(new ObserveRoster(s.scope, { limit: 10 }, s.context));
    await expect(s.linkCreator(s.scope, linkOfMia, s.context)).rejects.toMatchObject({ code: 'external_id_conflict' });
  });
});

describe('D25: another payload conflicts', () => {
  it('while the refused enrollment was not removed', async () => {
    await refuse();
    await expect(invite()).rejects.toMatchObject({ code: 'external_id_conflict' });
  });

  it('after an invitation that was sent was cancelled', async () => {
    const { creator } = await invite();
    await s.removeCreator(creator.creatorId, s.scope, s.context);
    await expect(invite(wrong)).rejects.toMatchObject({ code: 'external_id_conflict' });
  });
});

describe('D25: a crash between the roster and the creator', () => {
  const refused = [
    byInvitation,
    fact('invitationRefused', { code: 'invitation_rejected' }),
    fact('invitationWithdrawn', { as: 'cancelled' }),
  ];
  const step = async (userId: UserId | null, endedAtRevision?: number) => {
    const service = await testedContext([CreatorsModule]);
    service.platform.users.set(eveUser, native({ userId: eveUser }));
    const asked = { ...request(mia, 'ext-1', userId, 'another'), ...(endedAtRevision && { endedAtRevision }) };
    const past = [admitted(miaInvited), ...(endedAtRevision === undefined ? [] : [admitted(asked)])];
    await service.runner.run(rosterDecider, workspaceId, contextOf(), () => past);
    await service.creatorDid(mia, ...refused);
    const advance = () => service.commands.execute(new AdvanceEnrollment(mia, workspaceId, 0, contextOf()));
    await advance();
    service.clock.advance(MINUTE);
    await advance();
    return { state: (await service.creators.recorded(mia)).state, calls: service.platform.calls };
  };

  it('is completed by the worker: it sends the invitation, or links the user', async () => {
    expect((await step(null, 2)).state).toMatchObject({ enrollment: { status: 'invited', via: 'invitation' } });
    expect((await step(eveUser, 2)).state).toMatchObject({ enrollment: { status: 'linked', via: 'link' } });
  });

  it('is none where no other enrollment was admitted: nothing is sent', async () => {
    const { state, calls } = await step(null);
    expect(state).toMatchObject({ enrollment: { status: 'cancelled' } });
    expect(calls).toEqual([]);
  });
});
