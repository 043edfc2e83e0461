import { beforeEach, expect, it } from '@jest/globals';
import { streamName } from '#kernel';
import { contextOf, type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import { mia, workspaceId } from '../../domain/creator.fixtures.js';
import { admitted, released, request, seatReservedAgain } from '../../domain/enrollment/roster.fixtures.js';
import { rosterDecider } from '../../domain/enrollment/roster.js';
import { CountEnrollment } from './count-enrollment.js';

let service: TestedContext;

beforeEach(async () => {
  service = await testedContext([CreatorsModule]);
  await service.runner.run(rosterDecider, workspaceId, contextOf(), () => [admitted(request(mia, 'ext-1', null))]);
});

const count = (released: CountEnrollment['released']) =>
  service.commands.execute(new CountEnrollment(mia, workspaceId, released, contextOf()));
const release = () => count({ reason: 'cancelled', revision: 2 });
const countAgain = () => count(undefined);
const counted = async () => (await service.runner.load(rosterDecider, workspaceId)).state.counted;

it('an enrollment is counted until its seat is released, and again from when it is counted again (D31)', async () => {
  expect(await counted()).toBe(1);
  await release();
  expect(await counted()).toBe(0);
  await countAgain();
  expect(await counted()).toBe(1);
});

it('a repeat changes nothing', async () => {
  for (const command of [countAgain, release, release, countAgain, countAgain]) await command();
  const recorded = await service.log.readStream(streamName('roster', workspaceId), { from: 1 });
  const events = [released(mia, 'cancelled'), seatReservedAgain(mia)];
  expect(recorded.map(({ type, data }) => ({ type, data }))).toEqual(events);
});
