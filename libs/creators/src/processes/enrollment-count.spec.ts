import { beforeEach, describe, expect, it } from '@jest/globals';
import { streamName } from '#kernel';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { CreatorsModule } from '../creators.module.js';
import type { CreatorEvent } from '../domain/creator.events.js';
import { byInvitation, byLink, fact, mia, miaUser, onboarded, sent, workspaceId } from '../domain/creator.fixtures.js';
import { admitted, miaInvited, miaLink, released, seatReservedAgain } from '../domain/enrollment/roster.fixtures.js';
import { rosterDecider } from '../domain/enrollment/roster.js';
import { reserveSeatForRetry } from '../domain/enrollment/roster-seats.js';
import { EnrollmentCount } from './enrollment-count.js';

let service: TestedContext;

beforeEach(async () => {
  service = await testedContext([CreatorsModule]);
  await service.runner.run(rosterDecider, workspaceId, contextOf(), () => [admitted(miaInvited)]);
  await service.creatorDid(mia, byInvitation);
});

const counted = async () => (await service.runner.load(rosterDecider, workspaceId)).state.counted;
/** Shows the events to the reaction, each as soon as it has happened. */
const seatsAfter = async (...events: readonly CreatorEvent[]) => {
  for (const event of events) {
    const before = await service.log.head();
    await service.creatorDid(mia, event);
    await service.show(service.get(EnrollmentCount), { after: before });
  }
  return counted();
};
const rosterEvents = async () =>
  (await service.log.readStream(streamName('roster', workspaceId), { from: 1 })).map(({ type, data }) => ({
    type,
    data,
  }));
const refused = fact('invitationRefused', { code: 'invitation_rejected' });
const withdrawn = (as: 'cancelled' | 'detached') => fact('invitationWithdrawn', { as });
const ended = fact('membershipEnded', {});

describe('the seat of an enrollment (D31)', () => {
  it.each([
    ['failed', [refused]],
    ['failed', [fact('invitationRefused', { code: 'capacity_reached' })]],
    ['cancelled', [sent, withdrawn('cancelled')]],
    ['detached', [sent, withdrawn('detached')]],
    ['transferred', [sent, ended]],
  ] as const)('is released by one that is %s', async (reason, events) => {
    expect(await counted()).toBe(1);
    expect(await seatsAfter(...events)).toBe(0);
    expect(await rosterEvents()).toEqual([released(mia, reason)]);
  });

  it.each([
    ['is sent after all', [refused, sent]],
    ['returns', [sent, ended, fact('returned', {})]],
    ['is onboarded after all', [sent, withdrawn('cancelled'), onboarded]],
  ] as const)('counts again for one that %s', async (_, events) => {
    expect(await seatsAfter(...events)).toBe(1);
    expect(await rosterEvents()).toContainEqual(seatReservedAgain(mia));
  });

  it('counts again when the enrollment of a user begins who had left before', async () => {
    service = await testedContext([CreatorsModule]);
    const past = [admitted({ ...miaLink, userId: miaUser }), released(mia, 'transferred')];
    await service.runner.run(rosterDecider, workspaceId, contextOf(), () => past);
    expect(await seatsAfter(byLink)).toBe(1);
  });

  it('is not changed by a repeat of earlier events', async () => {
    await seatsAfter(refused, sent);
    for (let repeat = 0; repeat < 3; repeat++) await service.show(service.get(EnrollmentCount));
    expect(await rosterEvents()).toEqual([released(mia, 'failed'), seatReservedAgain(mia)]);
  });

  it('D28: is not released if it was reserved to try a refused enrollment again', async () => {
    await seatsAfter(refused);
    await service.runner.run(rosterDecider, workspaceId, contextOf(), (roster) =>
      reserveSeatForRetry(roster, mia, 1, 9, 0),
    );
    await service.show(service.get(EnrollmentCount));
    expect(await counted()).toBe(1);
    expect(await seatsAfter(refused)).toBe(0);
  });
});
