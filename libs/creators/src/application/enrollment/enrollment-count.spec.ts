import { beforeEach, expect, it } from '@jest/globals';
import { CommandRunner, streamName } from '#kernel';
import { FakeClock, InMemoryEventLog } from '#testing';
import { contextOf } from '../../../../testing/src/tested-context.js';
import { mia, workspaceId } from '../../domain/creator.fixtures.js';
import { admitted, released, request, seatReservedAgain } from '../../domain/enrollment/roster.fixtures.js';
import { rosterDecider } from '../../domain/enrollment/roster.js';
import { RosterRepository } from '../access/roster.repository.js';
import { CountEnrollment, CountEnrollmentHandler } from './count-enrollment.js';

let log: InMemoryEventLog;
let rosters: RosterRepository;

beforeEach(async () => {
  log = new InMemoryEventLog();
  const runner = new CommandRunner(log, new FakeClock());
  rosters = new RosterRepository(runner);
  await runner.run(rosterDecider, workspaceId, contextOf(), () => [admitted(request(mia, 'ext-1', null))]);
});

const count = (released: CountEnrollment['released']) =>
  new CountEnrollmentHandler(rosters).execute(new CountEnrollment(mia, workspaceId, released, contextOf()));
const release = () => count({ reason: 'cancelled', revision: 2 });
const countAgain = () => count(undefined);
const counted = async () => (await rosters.load(workspaceId)).state.counted;

it('an enrollment is counted until its seat is released, and again from when it is counted again (D31)', async () => {
  expect(await counted()).toBe(1);
  await release();
  expect(await counted()).toBe(0);
  await countAgain();
  expect(await counted()).toBe(1);
});

it('a repeat changes nothing', async () => {
  for (const command of [countAgain, release, release, countAgain, countAgain]) await command();
  const recorded = await log.readStream(streamName('roster', workspaceId), { from: 1 });
  const events = [released(mia, 'cancelled'), seatReservedAgain(mia)];
  expect(recorded.map(({ type, data }) => ({ type, data }))).toEqual(events);
});
