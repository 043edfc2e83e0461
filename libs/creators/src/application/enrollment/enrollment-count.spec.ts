import { beforeEach, expect, it } from '@jest/globals';
import { streamName } from '#kernel';
import { contextOf, type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import type { CreatorEvent } from '../../domain/creator.events.js';
import { byInvitation, fact, mia, sent, workspaceId } from '../../domain/creator.fixtures.js';
import { admitted, miaInvited, released, seatReservedAgain } from '../../domain/enrollment/roster.fixtures.js';
import { rosterDecider } from '../../domain/enrollment/roster.js';
import { reserveSeatForRetry } from '../../domain/enrollment/roster-seats.js';
import { CountEnrollment } from './count-enrollment.js';

let service: TestedContext;

beforeEach(async () => {
  service = await testedContext([CreatorsModule]);
  await service.runner.run(rosterDecider, workspaceId, contextOf(), () => [admitted(miaInvited)]);
  await service.creatorDid(mia, byInvitation);
});

const count = () => service.commands.execute(new CountEnrollment(mia, workspaceId, contextOf()));
const counted = async () => (await service.runner.load(rosterDecider, workspaceId)).state.counted;
const after = async (...events: readonly CreatorEvent[]) => {
  await service.creatorDid(mia, ...events);
  await count();
  return counted();
};
const refused = fact('invitationRefused', { code: 'invitation_rejected' });
const withdrawn = (as: 'cancelled' | 'detached') => fact('invitationWithdrawn', { as });

it.each([
  ['failed', [refused]],
  ['failed', [fact('invitationRefused', { code: 'capacity_reached' })]],
  ['cancelled', [sent, withdrawn('cancelled')]],
  ['detached', [sent, withdrawn('detached')]],
  ['transferred', [sent, fact('membershipEnded', {})]],
] as const)('D31: a creator that is %s is not counted', async (reason, events) => {
  expect(await counted()).toBe(1);
  expect(await after(...events)).toBe(0);
  const recorded = await service.log.readStream(streamName('roster', workspaceId), { from: 1 });
  expect(recorded.map(({ type, data }) => ({ type, data }))).toEqual([released(mia, reason)]);
});

it('D31: one that succeeds or returns after all counts again', async () => {
  expect(await after(refused)).toBe(0);
  expect(await after(sent)).toBe(1);
  expect(await after(fact('membershipEnded', {}))).toBe(0);
  expect(await after(fact('returned', {}))).toBe(1);
});

it('changes nothing by a repeat of earlier events, of which each once counted or released', async () => {
  await after(refused);
  await after(sent);
  for (let repeat = 0; repeat < 3; repeat++) await count();
  const recorded = await service.log.readStream(streamName('roster', workspaceId), { from: 1 });
  const events = [released(mia, 'failed'), seatReservedAgain(mia)];
  expect(recorded.map(({ type, data }) => ({ type, data }))).toEqual(events);
});

it('D28: does not release the seat that was reserved to try a refused enrollment again', async () => {
  await after(refused);
  await service.runner.run(rosterDecider, workspaceId, contextOf(), (roster) =>
    reserveSeatForRetry(roster, mia, 1, 9, 0),
  );
  await count();
  expect(await counted()).toBe(1);
  expect(await after(refused)).toBe(0);
});
