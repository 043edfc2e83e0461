import { beforeEach, expect, it } from '@jest/globals';
import { Leases } from '#jobs';
import { type EventLog, HOUR, MINUTE, newEventId } from '#kernel';
import {
  eventually,
  FakeClock,
  InMemoryDocumentStore,
  InMemoryEventLog,
  InMemoryKeyStore,
  RecordingLogger,
} from '#testing';
import { withHashChain } from './hash-chain.js';
import { LastSeals } from './last-seals.js';
import { SEAL_AFTER, SEALS } from './seal.js';
import { SealKey } from './seal-key.js';
import { SealLoop } from './seal-loop.js';
import { SEALING, Sealing } from './sealing.js';

const NOW = 1_767_225_600_000;
const key = new SealKey(Buffer.alloc(32, 7));

let log: EventLog;
let store: InMemoryDocumentStore;
let clock: FakeClock;

/** As a process has it. */
const loopOf = (holder: string) =>
  new SealLoop(new Sealing(log, key), new Leases(store, clock, holder), clock, new RecordingLogger());
const seals = async () => (await log.readStream(SEALS)).length;

beforeEach(async () => {
  clock = new FakeClock(NOW);
  store = new InMemoryDocumentStore();
  log = withHashChain(new InMemoryEventLog());
  const metadata = { at: NOW, correlationId: 'r', causationId: null, actor: 'key:test', workspaceId: null };
  await log.append('thing-1', 'none', [{ id: newEventId(), type: 'thing.happened.v1', data: {}, metadata }]);
});

it('seals what has waited for its time, and nothing before', async () => {
  const loop = loopOf('one');
  clock.advance(SEAL_AFTER - 1);
  await loop.runDue();
  expect(await seals()).toBe(0);
  clock.advance(1);
  await loop.runDue();
  await loop.runDue();
  expect(await seals()).toBe(1);
});

it('leaves it to the process that holds the lease, and takes over when that has ended', async () => {
  clock.advance(HOUR);
  const elsewhere = new Leases(store, clock, 'elsewhere');
  await elsewhere.acquire(SEALING, MINUTE);
  const loop = loopOf('one');
  await loop.runDue();
  expect(await seals()).toBe(0);
  await elsewhere.release(SEALING);
  await loop.runDue();
  expect(await seals()).toBe(1);
});

it('once started seals periodically, and releases its lease when it is stopped', async () => {
  clock.advance(HOUR);
  const loop = loopOf('one');
  loop.start();
  await eventually(async () => (await seals()) > 0);
  await loop.stop();
  expect(await seals()).toBe(1);
  expect(await store.lease(SEALING)).toBeUndefined();
});

/** A loop that remembers seals, and what it logs. */
const rememberingLoop = (memory: InMemoryKeyStore) => {
  const lastSeals = new LastSeals(log, memory, { current: key, all: [key] });
  const logger = new RecordingLogger();
  const sealing = new Sealing(log, key, undefined, undefined, lastSeals);
  return { loop: new SealLoop(sealing, new Leases(store, clock, 'one'), clock, logger, lastSeals), logger, lastSeals };
};

it('D91: adopts the seals of an older version once, with a warning', async () => {
  clock.advance(HOUR);
  await loopOf('one').runDue();
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
