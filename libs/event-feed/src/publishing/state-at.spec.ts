import { beforeEach, expect, it } from '@jest/globals';
import { Caches, newEventId, type RecordedEvent } from '#kernel';
import { InMemoryEventLog } from '#testing';
import { type Added, added, tallyDecider, workspaceId } from '../../../kernel/src/deciding/tally.fixtures.js';
import { InterceptedLog } from '../../../kernel/src/stores/intercepted-log.fixtures.js';
import { StateAt } from './announcements.js';

const STREAM = 'tally-1';
const metadata = { at: 1, correlationId: 'req_1', causationId: null, actor: 'process:test', workspaceId };

let log: InterceptedLog;
let states: StateAt<{ readonly total: number }, Added>;
let events: RecordedEvent<Added>[];

const step = async (revision: number) => {
  const event = events[revision];
  if (event === undefined) throw new Error(`no event ${revision}`);
  const { before, after } = await states.step(event);
  return [before.state.total, after.state.total];
};

beforeEach(async () => {
  log = new InterceptedLog(new InMemoryEventLog());
  states = new StateAt(log, tallyDecider, Caches.ON);
  const toAppend = [1, 10, 100].map((by) => ({ id: newEventId(), ...added(by), metadata }));
  await log.append(STREAM, 'none', toAppend);
  events = (await log.readStream(STREAM)) as RecordedEvent<Added>[];
  log.reads.length = 0;
});

it('gives the state before and after an event, and reads nothing for the event that follows', async () => {
  expect(await step(1)).toEqual([1, 11]);
  expect(await step(2)).toEqual([11, 111]);
  expect(log.reads).toEqual([{ stream: STREAM, from: 0 }]);
});

it('D72: does not cache a state that it read before an erasure', async () => {
  log.beforeRead = async () => states.forget();
  expect(await step(1)).toEqual([1, 11]);
  expect(await step(2)).toEqual([11, 111]);
  expect(log.reads.map(({ from }) => from)).toEqual([0, 0]);
});
