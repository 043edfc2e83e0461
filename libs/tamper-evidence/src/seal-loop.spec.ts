import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { InMemoryEventLog } from '#event-log';
import { Leases } from '#jobs';
import { type EventLog, HOUR, MINUTE, newEventId } from '#kernel';
import { eventually, FakeClock, RecordingLogger } from '#testing';
import { withHashChain } from './hash-chain.js';
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
