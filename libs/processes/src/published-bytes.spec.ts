import { beforeEach, expect, it } from '@jest/globals';
import { InMemoryEventLog } from '#event-log';
import {
  agencyId,
  derivedId,
  ERASED,
  type EventLog,
  newEventId,
  type RecordedEvent,
  type StreamName,
  streamName,
} from '#kernel';
import { EVENT_FEED, type EventPublished } from '#publishing';
import { PublishedBytes } from './published-bytes.js';

const workspaceId = derivedId('workspace', agencyId('ag_lumen'));
const feed: StreamName = streamName(EVENT_FEED, workspaceId);
const placeOf = (feedRevision: number) => ({ workspaceId, feedRevision, eventId: derivedId('event', feedRevision) });

let log: InMemoryEventLog;
let reads: { from: number; limit: number }[];
let counted: Pick<EventLog, 'readStream'>;
let bytes: PublishedBytes;

const publish = (revision: number, personal: string | typeof ERASED = `event ${revision}`) => {
  const data: EventPublished['data'] = {
    eventId: derivedId('event', revision),
    eventType: 'scan.completed',
    creatorId: derivedId('creator', 'mia'),
    cause: { eventId: 'cause', stream: streamName('scan', '1'), revision: 0 },
    personal: { bytes: personal },
  };
  const metadata = { at: 0, correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  return log.append(feed, 'any', [{ id: newEventId(), type: 'eventFeed.eventPublished.v1', data, metadata }]);
};

beforeEach(() => {
  log = new InMemoryEventLog();
  reads = [];
  counted = {
    readStream: (stream, options = {}): Promise<RecordedEvent[]> => {
      reads.push({ from: options.from ?? 0, limit: options.limit ?? 0 });
      return log.readStream(stream, options);
    },
  };
  bytes = new PublishedBytes(counted);
});

it('gives those that stand at the place', async () => {
  await publish(0);
  await publish(1);
  expect(String(await bytes.of(placeOf(1)))).toBe('event 1');
  expect(String(await bytes.of(placeOf(0)))).toBe('event 0');
});

it('reads a backlog that many ask for at once a page at a time, each place once', async () => {
  for (let revision = 0; revision < 200; revision++) await publish(revision);
  const all = await Promise.all(Array.from({ length: 200 }, (_, revision) => bytes.of(placeOf(revision))));
  expect(all.map(String)).toEqual(Array.from({ length: 200 }, (_, revision) => `event ${revision}`));
  expect(reads.length).toBeLessThan(10);
  const places = reads.flatMap(({ from, limit }) => Array.from({ length: limit }, (_, n) => from + n));
  expect(new Set(places).size).toBe(places.length);
});

it('finds what was published after a page that should hold it had been begun', async () => {
  await publish(0);
  await publish(1);
  await bytes.of(placeOf(0));
  const ahead = bytes.of(placeOf(1));
  await log.readStream(feed);
  await publish(2);
  expect(String(await bytes.of(placeOf(2)))).toBe('event 2');
  expect(String(await ahead)).toBe('event 1');
});

it('D58: gives none where they have been erased', async () => {
  await publish(0, ERASED);
  expect(await bytes.of(placeOf(0))).toBeUndefined();
});

it('says when the place has another event, and asks anew after a read that failed', async () => {
  await publish(0);
  await expect(bytes.of({ ...placeOf(0), eventId: derivedId('event', 'another') })).rejects.toThrow('has lost');
  const failing = new PublishedBytes({
    readStream: (stream, options) => {
      reads.push({ from: 0, limit: 0 });
      return reads.length === 2 ? Promise.reject(new Error('away')) : log.readStream(stream, options);
    },
  });
  await expect(failing.of(placeOf(0))).rejects.toThrow('away');
  expect(String(await failing.of(placeOf(0)))).toBe('event 0');
});
