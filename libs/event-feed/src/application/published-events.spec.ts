import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { CreatorVisibilities } from '#creators';
import { agencyId, type Duration, derivedId, type EventLog, type RecordedEvent, SECOND, streamName } from '#kernel';
import { eventually, FakeClock, InMemoryEventLog } from '#testing';
import { workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { eventIdAt, publishAt } from '../domain/event-feed.fixtures.js';
import { EVENT_FEED } from '../domain/public-event.js';
import { VisibleEvents } from './visible-events.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let log: InMemoryEventLog;
let reads: { from: number; limit: number }[];
let published: VisibleEvents;

const publishedOver = (readStream: EventLog['readStream']) => {
  const over = Object.assign(new InMemoryEventLog(), { readStream });
  return new VisibleEvents(over, new CreatorVisibilities(over, new FakeClock()));
};

afterEach(() => {
  jest.useRealTimers();
});

beforeEach(() => {
  log = new InMemoryEventLog();
  reads = [];
  published = publishedOver((stream, options = {}) => {
    reads.push({ from: options.from ?? 0, limit: options.limit ?? 0 });
    return log.readStream(stream, options);
  });
});

it('returns the events at the revisions, and nothing for a revision without an event', async () => {
  for (let revision = 0; revision < 3; revision++) await publishAt(log, revision);
  const events = await published.read(workspaceId, [2, 0, 7]);
  expect([0, 2, 7].map((revision) => events.has(revision))).toEqual([true, true, false]);
  expect(events.get(2)?.data.personal.bytes).toBe('event 2');
});

it('reads neighbouring events together, and only once', async () => {
  for (let revision = 0; revision < 200; revision++) await publishAt(log, revision);
  const revisions = [...Array.from({ length: 50 }, (_, n) => n), 55, 150];
  await published.read(workspaceId, revisions.toReversed());
  expect(reads).toEqual([
    { from: 0, limit: 56 },
    { from: 150, limit: 1 },
  ]);
  const again = await published.read(workspaceId, [...revisions, 56]);
  expect([...revisions, 56].every((revision) => again.has(revision))).toBe(true);
  expect(reads.slice(2)).toEqual([{ from: 56, limit: 64 }]);
});

it('reads a backlog ahead, even if few events are requested at a time, each revision once', async () => {
  for (let revision = 0; revision < 200; revision++) await publishAt(log, revision);
  const revisions = Array.from({ length: 200 }, (_, revision) => revision);
  const found = await Promise.all(revisions.map((revision) => published.read(workspaceId, [revision])));
  expect(found.map((events, revision) => events.get(revision)?.data.eventId)).toEqual(revisions.map(eventIdAt));
  expect(reads.length).toBeLessThan(10);
  const read = reads.flatMap(({ from, limit }) => Array.from({ length: limit }, (_, n) => from + n));
  expect(new Set(read).size).toBe(read.length);
});

it('finds an event that was published after the read of its page began', async () => {
  await publishAt(log, 0);
  await publishAt(log, 1);
  await published.read(workspaceId, [0]);
  const ahead = published.read(workspaceId, [1]);
  await log.readStream(streamName(EVENT_FEED, workspaceId));
  await publishAt(log, 2);
  expect((await published.read(workspaceId, [2])).get(2)?.data.eventId).toBe(eventIdAt(2));
  expect((await ahead).get(1)?.data.eventId).toBe(eventIdAt(1));
});

/** How many reads it takes to get the events at these revisions. */
const readsFor = async (...revisions: number[]) => {
  const before = reads.length;
  await published.read(workspaceId, revisions);
  return reads.length - before;
};

/** Timers and caches see only the time that passes here. */
const pass = (duration: Duration) => jest.advanceTimersByTime(duration);
const stopTime = () => {
  jest.useFakeTimers();
  // The LRU cache takes a time of 0 for none.
  pass(1);
};

it('reads an event again after five seconds: it may have been erased since', async () => {
  stopTime();
  await publishAt(log, 0);
  expect(await readsFor(0)).toBe(1);
  pass(5 * SECOND - 100);
  expect(await readsFor(0)).toBe(0);
  pass(200);
  expect(await readsFor(0)).toBe(1);
  pass(5 * SECOND - 100);
  expect(await readsFor(0)).toBe(0);
});

it('an event leaves the memory, although nobody requests it again', async () => {
  stopTime();
  await publishAt(log, 0);
  let cached: WeakRef<RecordedEvent> | undefined;
  const readStream: EventLog['readStream'] = async (...query) => {
    const [event] = structuredClone(await log.readStream(...query));
    if (event === undefined) return [];
    cached = new WeakRef(event);
    return [event];
  };
  const published = publishedOver(readStream);
  expect((await published.read(workspaceId, [0])).size).toBe(1);
  pass(5 * SECOND);
  pass(5 * SECOND);
  jest.useRealTimers();
  await eventually(() => {
    collectGarbage();
    return cached !== undefined && cached.deref() === undefined;
  });
  // So `published` itself has not been collected before.
  expect((await published.read(workspaceId, [0])).size).toBe(1);
});

it('drops the events that were used longest ago when they exceed some megabytes', async () => {
  for (let revision = 0; revision < 40; revision++) await publishAt(log, revision, 'x'.repeat(256 * 1024));
  expect([await readsFor(0), await readsFor(0)]).toEqual([1, 0]);
  expect(await readsFor(1)).toBe(1);
  expect([await readsFor(39), await readsFor(0)]).toEqual([0, 1]);
});

it('D72: does not cache an event that it read before an erasure', async () => {
  await publishAt(log, 0);
  const reading = published.read(workspaceId, [0]);
  published.forget();
  expect((await reading).size).toBe(1);
  expect([await readsFor(0), await readsFor(0)]).toEqual([1, 0]);
});

it('separates the feeds of several workspaces', async () => {
  await publishAt(log, 0);
  await published.read(workspaceId, [0]);
  expect((await published.read(derivedId('workspace', agencyId('ag_other')), [0])).size).toBe(0);
});
