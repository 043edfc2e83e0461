import { beforeEach, expect, it } from '@jest/globals';
import { type EventLog, HOUR, newEventId } from '#kernel';
import { FakeClock, InMemoryEventLog, InMemoryKeyStore, RecordingLogger } from '#testing';
import { withHashChain } from './hash-chain.js';
import { LastSeals } from './last-seals.js';
import { SEAL_AFTER, SEALS, SealKey } from './seal.js';
import { SealTask } from './seal-task.js';
import { Sealing } from './sealing.js';

const NOW = 1_767_225_600_000;
const key = new SealKey(Buffer.alloc(32, 7));

const METADATA = { at: NOW, correlationId: 'r', causationId: null, actor: 'key:test', workspaceId: null };
const EVENT = { type: 'thing.happened.v1', data: {}, metadata: METADATA };

let log: EventLog;
let clock: FakeClock;

/** As a process has it. */
const newTask = () => new SealTask(new Sealing(log, key), clock, new RecordingLogger());
const seals = async () => (await log.readStream(SEALS)).length;

beforeEach(async () => {
  clock = new FakeClock(NOW);
  log = withHashChain(new InMemoryEventLog());
  await log.append('thing-1', 'none', [{ ...EVENT, id: newEventId() }]);
});

it('seals what has waited for its time, and nothing before', async () => {
  const task = newTask();
  clock.advance(SEAL_AFTER - 1);
  await task.runDue();
  expect(await seals()).toBe(0);
  clock.advance(1);
  await task.runDue();
  await task.runDue();
  expect(await seals()).toBe(1);
});

/** One that remembers seals, and what it logs. */
const rememberingTask = (memory: InMemoryKeyStore) => {
  const lastSeals = new LastSeals(log, memory, { current: key, all: [key] });
  const logger = new RecordingLogger();
  const sealing = new Sealing(log, key, undefined, undefined, lastSeals);
  return { task: new SealTask(sealing, clock, logger, lastSeals), logger, lastSeals };
};

it('D91: adopts the seals of an older version once, with a warning', async () => {
  clock.advance(HOUR);
  await newTask().runDue();
  const memory = new InMemoryKeyStore();
  for (const warnings of [1, 0]) {
    const { task, logger } = rememberingTask(memory);
    await task.runDue();
    expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(warnings);
  }
  expect(await memory.lastSeal()).toMatchObject({ count: 1 });
});

it('D91: says once that seals are missing, and seals when the loss is accepted', async () => {
  clock.advance(HOUR);
  const memory = new InMemoryKeyStore();
  await rememberingTask(memory).task.runDue();
  const event = (await log.readStream('thing-1'))[0];
  log = withHashChain(new InMemoryEventLog());
  if (event !== undefined) await log.append('thing-1', 'none', [event]);
  const { task, logger, lastSeals } = rememberingTask(memory);
  for (let runs = 0; runs < 3; runs++) await task.run();
  expect(logger.lines).toMatchObject([{ level: 'error', message: expect.stringContaining('lacks the seal') }]);
  expect(await seals()).toBe(0);
  await lastSeals.acceptLoss(clock.now(), 'operator:ada');
  await task.run();
  expect(await seals()).toBe(2);
  expect(logger.lines).toHaveLength(1);
});
