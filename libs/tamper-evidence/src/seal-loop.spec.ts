import { beforeEach, expect, it } from '@jest/globals';
import { type EventLog, HOUR, newEventId } from '#kernel';
import { eventually, FakeClock, InMemoryEventLog, InMemoryKeyStore, RecordingLogger } from '#testing';
import { withHashChain } from './hash-chain.js';
import { LastSeals } from './last-seals.js';
import { SEAL_AFTER, SEALS } from './seal.js';
import { SealKey } from './seal-key.js';
import { SealLoop } from './seal-loop.js';
import { Sealing } from './sealing.js';

const NOW = 1_767_225_600_000;
const key = new SealKey(Buffer.alloc(32, 7));

const METADATA = { at: NOW, correlationId: 'r', causationId: null, actor: 'key:test', workspaceId: null };
const EVENT = { type: 'thing.happened.v1', data: {}, metadata: METADATA };

let log: EventLog;
let clock: FakeClock;

/** As a process has it. */
const newLoop = () => new SealLoop(new Sealing(log, key), clock, new RecordingLogger());
const seals = async () => (await log.readStream(SEALS)).length;

beforeEach(async () => {
  clock = new FakeClock(NOW);
  log = withHashChain(new InMemoryEventLog());
  await log.append('thing-1', 'none', [{ ...EVENT, id: newEventId() }]);
});

it('seals what has waited for its time, and nothing before', async () => {
  const loop = newLoop();
  clock.advance(SEAL_AFTER - 1);
  await loop.runDue();
  expect(await seals()).toBe(0);
  clock.advance(1);
  await loop.runDue();
  await loop.runDue();
  expect(await seals()).toBe(1);
});

it('once started seals periodically, and again when it is started again', async () => {
  clock.advance(HOUR);
  const loop = newLoop();
  loop.start();
  await eventually(async () => (await seals()) > 0);
  await loop.stop();
  await log.append('thing-2', 'none', [{ ...EVENT, id: newEventId() }]);
  clock.advance(HOUR);
  loop.start();
  await eventually(async () => (await seals()) > 1);
  await loop.stop();
  expect(await seals()).toBe(2);
});

/** A loop that remembers seals, and what it logs. */
const rememberingLoop = (memory: InMemoryKeyStore) => {
  const lastSeals = new LastSeals(log, memory, { current: key, all: [key] });
  const logger = new RecordingLogger();
  const sealing = new Sealing(log, key, undefined, undefined, lastSeals);
  return { loop: new SealLoop(sealing, clock, logger, lastSeals), logger, lastSeals };
};

it('D91: adopts the seals of an older version once, with a warning', async () => {
  clock.advance(HOUR);
  await newLoop().runDue();
  const memory = new InMemoryKeyStore();
  for (const warnings of [1, 0]) {
    const { loop, logger } = rememberingLoop(memory);
    await loop.runDue();
    expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(warnings);
  }
  expect(await memory.lastSeal()).toMatchObject({ count: 1 });
});

it('D91: says once that seals are missing, and seals when the loss is accepted', async () => {
  clock.advance(HOUR);
  const memory = new InMemoryKeyStore();
  await rememberingLoop(memory).loop.runDue();
  const event = (await log.readStream('thing-1'))[0];
  log = withHashChain(new InMemoryEventLog());
  if (event !== undefined) await log.append('thing-1', 'none', [event]);
  const { loop, logger, lastSeals } = rememberingLoop(memory);
  for (let runs = 0; runs < 3; runs++) await loop.attempt();
  expect(logger.lines).toMatchObject([{ level: 'error', message: expect.stringContaining('lacks the seal') }]);
  expect(await seals()).toBe(0);
  await lastSeals.acceptLoss(clock.now(), 'operator:ada');
  await loop.attempt();
  expect(await seals()).toBe(2);
  expect(logger.lines).toHaveLength(1);
});
