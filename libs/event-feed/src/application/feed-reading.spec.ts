import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  derivedId,
  type EventLog,
  type EventToAppend,
  type Instant,
  newEventId,
  type PublicEventId,
  type Revision,
  streamName,
} from '#kernel';
import { InMemoryEventLog } from '#testing';
import { EVENT_FEED, publicEvent, publicEventId, publish } from '../domain/public-event.js';
import { EventFeed } from './feed-reading.js';

const workspaceId = derivedId('workspace', 'ag_lumen');
const elsewhere = derivedId('workspace', 'ag_nova');
const creatorId = derivedId('creator', 'mia');

let log: InMemoryEventLog;
beforeEach(() => {
  log = new InMemoryEventLog();
});

const idOf = (name: string, at: Instant) => publicEventId(name, at, 'scan.completed');

const toTell = (name: string, at: Instant, workspace = workspaceId, text = ''): EventToAppend => {
  const cause = { eventId: name, stream: streamName('scan', 'x'), revision: 0 };
  const published = publicEvent(
    { type: 'scan.completed', creatorId, data: { text } },
    { id: name, at, workspaceId: workspace },
    at,
  );
  const metadata = { at, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: workspace };
  return { id: newEventId(), ...publish(published, cause), metadata };
};

/** Events named by their revisions, at these times. */
const publishAt = async (times: readonly Instant[], workspace = workspaceId, text = '') => {
  const most = text === '' ? 500 : 1;
  for (let from = 0; from < times.length; from += most) {
    const events = times
      .slice(from, from + most)
      .map((at, n) => toTell(`${workspace} ${from + n}`, at, workspace, text));
    await log.append(streamName(EVENT_FEED, workspace), 'any', events);
  }
};
const published = (revision: Revision, at: Instant, workspace = workspaceId) => idOf(`${workspace} ${revision}`, at);

/** The log, with its reads of streams counted. */
const counted = () => {
  let reads = 0;
  const readStream: EventLog['readStream'] = (...asked) => {
    reads++;
    return log.readStream(...asked);
  };
  const counting = new Proxy(log, {
    get: (over, member) => (member === 'readStream' ? readStream : Reflect.get(over, member)),
  });
  return { log: counting, reads: () => reads };
};

describe('a cursor', () => {
  it('is found in its workspace’s feed, with any times of the events', async () => {
    // A cause has a few events with one time; the next cause has a later one.
    const causes = fc.array(
      fc.record({ after: fc.integer({ min: 1, max: 3 }), published: fc.integer({ min: 1, max: 3 }) }),
      { maxLength: 60, size: 'max' },
    );
    const times = causes.map((each) => {
      let now = 0;
      return each.flatMap(({ after, published: count }) => {
        now += after;
        return Array.from({ length: count }, () => now);
      });
    });
    await fc.assert(
      fc.asyncProperty(times, async (at) => {
        log = new InMemoryEventLog();
        await publishAt(at);
        const feed = new EventFeed(log);
        const revisions = at.map((time, revision) => feed.revisionOf(workspaceId, published(revision, time)));
        expect(await Promise.all(revisions)).toEqual(at.map((_, revision) => revision));
        const never = Array.from({ length: 185 }, (_, time) => feed.revisionOf(workspaceId, idOf('never', time)));
        expect(new Set(await Promise.all(never))).toEqual(new Set([undefined]));
      }),
      { numRuns: 50 },
    );
  });

  it('is not found in another feed, even if its own feed has it (D13)', async () => {
    await publishAt([1, 2, 3]);
    await publishAt([1, 2, 3], elsewhere);
    const feed = new EventFeed(log);
    await feed.read(workspaceId, 0, 10);
    expect(await feed.revisionOf(elsewhere, published(2, 3))).toBeUndefined();
    expect(await feed.revisionOf(elsewhere, published(2, 3, elsewhere))).toBe(2);
  });

  it('is found in a long feed by a few reads, by one at its end, and by none if it was read before', async () => {
    await publishAt(Array.from({ length: 20_000 }, (_, n) => n));
    const { log: counting, reads } = counted();
    const feed = new EventFeed(counting);
    expect(await feed.revisionOf(workspaceId, published(7_777, 7_777))).toBe(7_777);
    expect(reads()).toBeLessThanOrEqual(14);
    const before = reads();
    expect(await feed.revisionOf(workspaceId, published(19_999, 19_999))).toBe(19_999);
    expect(reads() - before).toBe(1);
    const page = await feed.read(workspaceId, 5_000, 50);
    expect(page.hasMore).toBe(true);
    const known = reads();
    expect(await feed.revisionOf(workspaceId, page.events.at(-1)?.data.eventId ?? published(0, 0))).toBe(5_049);
    expect(reads()).toBe(known);
  });
});

describe('a feed', () => {
  it('is read in the order of its publishing, page by page, and no other workspace’s', async () => {
    await publishAt([5, 5, 9]);
    await publishAt([1], elsewhere);
    const feed = new EventFeed(log);
    const ids = async (from: number, limit: number) =>
      (await feed.read(workspaceId, from, limit)).events.map(({ data }) => data.eventId);
    expect(await ids(0, 2)).toEqual([published(0, 5), published(1, 5)]);
    expect(await ids(2, 2)).toEqual([published(2, 9)]);
    expect(await ids(3, 2)).toEqual([]);
  });

  it('shows fewer of the largest events on a page, and leaves none out', async () => {
    await publishAt(
      Array.from({ length: 90 }, (_, n) => n),
      workspaceId,
      'x'.repeat(300_000),
    );
    const feed = new EventFeed(log);
    const seen: PublicEventId[] = [];
    for (let hasMore = true; hasMore; ) {
      const page = await feed.read(workspaceId, seen.length, 100);
      expect(page.events.length).toBeLessThanOrEqual(32);
      seen.push(...page.events.map(({ data }) => data.eventId));
      hasMore = page.hasMore;
    }
    expect(seen).toEqual(Array.from({ length: 90 }, (_, n) => published(n, n)));
  });

  it('ends a page by bytes, of which a character may have several', async () => {
    await publishAt(
      Array.from({ length: 60 }, (_, n) => n),
      workspaceId,
      '美'.repeat(30_000),
    );
    const { events, hasMore } = await new EventFeed(log).read(workspaceId, 0, 60);
    expect(hasMore).toBe(true);
    expect(events.length).toBeLessThan(60);
  });

  it('says whether more follows', async () => {
    await publishAt(Array.from({ length: 33 }, (_, n) => n));
    const feed = new EventFeed(log);
    const hasMore = async (limit: number) => (await feed.read(workspaceId, 0, limit)).hasMore;
    expect(await Promise.all([32, 33, 34, 1].map(hasMore))).toEqual([true, false, false, true]);
  });
});
