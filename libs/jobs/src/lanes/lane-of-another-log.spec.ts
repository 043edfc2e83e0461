import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  type Checkpoint,
  CommandRunner,
  LanePositions,
  type LogPage,
  newEventId,
  type Position,
  SECOND,
} from '#kernel';
import { eventually, FakeClock, InMemoryDocumentStore, InMemoryEventLog, RecordingLogger } from '#testing';
import { DeadLetters } from '../dead-letters/dead-letters.js';
import { Lane } from './lane.js';

const METADATA = { at: 0, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null };
let log: InMemoryEventLog;
let store: InMemoryDocumentStore;
let running: Lane[];
beforeEach(() => {
  log = new InMemoryEventLog();
  store = new InMemoryDocumentStore();
  running = [];
});
afterEach(() => Promise.all(running.map((runner) => runner.stop())));

const append = async (of: InMemoryEventLog, numbers: readonly number[], type = 'thing.happened.v1') => {
  for (const n of numbers)
    await of.append('thing-1', 'any', [{ id: newEventId(), type, data: { n }, metadata: METADATA }]);
};
const aRunner = (on = log) => {
  const clock = new FakeClock();
  const logger = new RecordingLogger();
  const progress = new LanePositions(store);
  const seen: unknown[] = [];
  const prepared: Position[] = [];
  const consumer = {
    name: 'witness',
    types: new Set(['thing.happened.v1']),
    prepare: async (_: AbortSignal, { position }: Checkpoint) => void prepared.push(position),
    handle: async ({ events }: LogPage) => {
      seen.push(...events.map(({ data }) => Reflect.get(data, 'n')));
      return [];
    },
  };
  const deadLetters = new DeadLetters(new CommandRunner(on, clock));
  const runner = new Lane(
    { name: 'witness', consumers: [consumer] },
    running.length,
    on,
    store,
    progress,
    deadLetters,
    logger,
  );
  running.push(runner);
  runner.start();
  return { runner, seen, prepared, logger, progress };
};
const caughtUp = (on = log) =>
  eventually(async () => (await store.checkpoint('witness'))?.position === (await on.head()));

it('a take-over after the log was replaced prepares the consumer from the start of it and handles it all, once', async () => {
  await append(log, [1, 2, 3, 4, 5]);
  const { runner } = aRunner();
  await caughtUp();
  await runner.stop();
  const other = new InMemoryEventLog();
  await append(other, [11, 12]);
  const second = aRunner(other);
  await caughtUp(other);
  await append(other, [13]);
  await caughtUp(other);
  expect(second.seen).toEqual([11, 12, 13]);
  expect(second.prepared).toEqual([0]);
  expect(second.logger.lines.map(({ level }) => level)).toEqual(['warn']);
  expect((await store.checkpoint('witness'))?.event).toMatchObject({ position: await other.head() });
});

it('a checkpoint does not move past what the log cannot name, such as events of the server', async () => {
  await append(log, [1, 2], 'thing.ignored.v1');
  const follow = log.follow.bind(log);
  log.follow = async function* (options) {
    for await (const { last: _, ...page } of follow(options)) yield page;
  };
  const { progress } = aRunner();
  expect(await progress.waitForPosition(['witness'], await log.head(), SECOND)).toBe(true);
  expect(await store.checkpoint('witness')).toMatchObject({ position: 0 });
  await append(log, [3]);
  await caughtUp();
});
