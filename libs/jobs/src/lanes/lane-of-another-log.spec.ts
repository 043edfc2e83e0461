import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Checkpoint, type LogPage, type Position, SECOND } from '#kernel';
import { InMemoryEventLog } from '#testing';
import { LANE, Lanes, TYPE } from './lanes.fixtures.js';

let lanes: Lanes;
beforeEach(() => {
  lanes = new Lanes();
});
afterEach(() => lanes.stop());

const aRunner = (log = lanes.log, fence = 0) => {
  const seen: unknown[] = [];
  const prepared: Position[] = [];
  const consumer = {
    name: LANE,
    types: new Set([TYPE]),
    prepare: async (_: AbortSignal, { position }: Checkpoint) => void prepared.push(position),
    handle: async ({ events }: LogPage) => {
      seen.push(...events.map(({ data }) => Reflect.get(data, 'n')));
      return [];
    },
  };
  const lane = lanes.lane({ consumers: [consumer] }, fence, { log });
  lane.runner.start();
  return { ...lane, seen, prepared };
};

it('a take-over after the log was replaced prepares the consumer from the start of it and handles it all, once', async () => {
  await lanes.append(5);
  const { runner } = aRunner();
  await lanes.caughtUp();
  await runner.stop();
  const other = new InMemoryEventLog();
  await lanes.append(2, TYPE, other);
  const second = aRunner(other, 1);
  await lanes.caughtUp(other);
  await lanes.append(1, TYPE, other);
  await lanes.caughtUp(other);
  expect(second.seen).toEqual([6, 7, 8]);
  expect(second.prepared).toEqual([0]);
  expect(second.logger.lines.map(({ level }) => level)).toEqual(['warn']);
  expect((await lanes.store.checkpoint(LANE))?.event).toMatchObject({ position: await other.head() });
});

it('a checkpoint does not move past what the log cannot name, such as events of the server', async () => {
  const { log } = lanes;
  await lanes.append(2, 'thing.ignored.v1');
  const follow = log.follow.bind(log);
  log.follow = async function* (options) {
    for await (const { last: _, ...page } of follow(options)) yield page;
  };
  const { progress } = aRunner();
  expect(await progress.waitForPosition([LANE], await log.head(), SECOND)).toBe(true);
  expect(await lanes.store.checkpoint(LANE)).toMatchObject({ position: 0 });
  await lanes.append(1);
  await lanes.caughtUp();
});
