import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  derivedId,
  type EventLog,
  type EventToAppend,
  InvalidAppend,
  newEventId,
  type RecordedEvent,
  StoreUnavailable,
  type StreamName,
  streamName,
  type WorkspaceId,
} from '#kernel';
import type { ScanEvent } from '#scans';
import { InMemoryEventLog } from '#testing';
import { EVENT_FEED, type EventPublished, instantIn, publicEventId } from '../domain/public-event.js';
import { casesOptions } from './announcements.fixtures.js';
import { Announcements } from './announcements.js';
import { Publisher } from './publisher.js';

const creatorId = derivedId('creator', 'mia');
const workspaces = ['lumen', 'nova', 'iris'].map((name) => derivedId('workspace', name));
const [lumen, nova] = workspaces as [WorkspaceId, WorkspaceId];

let log: InMemoryEventLog;
beforeEach(() => {
  log = new InMemoryEventLog();
});

const aPublisher = (over: EventLog = log) => new Publisher(over, new Announcements(over, casesOptions));

/** A scan that ends: one announcement. */
const endScan = async (name: string, workspaceId: WorkspaceId | null = lumen, at = 1_000) => {
  const scanId = derivedId('scan', name);
  const data = { scanId, creatorId, jobId: `job-${name}`, finishedAt: at, errorCode: null };
  const event: ScanEvent = { type: 'scan.completed.v1', data };
  const metadata = { at, correlationId: `req-${name}`, causationId: null, actor: 'process:scan', workspaceId };
  await log.append(streamName('scan', scanId), 'any', [{ id: newEventId(), ...event, metadata }]);
};

/** As a runner that takes over at that checkpoint would. */
const publishAll = async (publisher: Publisher, { after = 0, limit = 1_000 } = {}) => {
  await publisher.takeOver();
  for (let from = after; ; ) {
    const page = await log.readLog({ after: from, limit, types: publisher.types });
    await publisher.handle(page);
    if (page.atEnd) return;
    from = page.reached;
  }
};

const feedOf = async (workspaceId: WorkspaceId) =>
  (await log.readStream(streamName(EVENT_FEED, workspaceId))) as RecordedEvent<EventPublished>[];
const announced = async (workspaceId: WorkspaceId): Promise<string[]> =>
  (await feedOf(workspaceId)).map(({ data }) => JSON.parse(data.personal.bytes).data.svc_job_id);
const bytes = async (workspaceId: WorkspaceId) => (await feedOf(workspaceId)).map(({ data }) => data.personal.bytes);

/** The same history, with no feed in it. */
const withoutFeeds = async (source: EventLog): Promise<InMemoryEventLog> => {
  const copy = new InMemoryEventLog();
  for (const { id, type, stream, data, metadata } of (await source.readLog({ after: 0 })).events) {
    if (!stream.startsWith(EVENT_FEED)) await copy.append(stream, 'any', [{ id, type, data, metadata }]);
  }
  return copy;
};

/** A log whose appends to feeds fail on request, before or after they have happened. */
const failing = (when: 'before' | 'after', failsAt: ReadonlySet<number>): EventLog => {
  let appends = 0;
  return {
    append: async (stream: StreamName, expected, events: readonly EventToAppend[]) => {
      const fails = failsAt.has(++appends);
      if (fails && when === 'before') throw new StoreUnavailable('gone');
      const appended = await log.append(stream, expected, events);
      if (fails) throw new StoreUnavailable('gone');
      return appended;
    },
    readStream: (stream, options) => log.readStream(stream, options),
    readLog: (options) => log.readLog(options),
    follow: (options) => log.follow(options),
    head: () => log.head(),
    close: () => log.close(),
  };
};

describe('publishing', () => {
  it('splits a backlog into appends that the log accepts, also if JSON doubles the length of a text', async () => {
    const quoted = '"'.repeat(200);
    for (let n = 0; n < 600; n++) await endScan(`${quoted}${n}`);
    await publishAll(aPublisher());
    expect(await announced(lumen)).toEqual(Array.from({ length: 600 }, (_, n) => `job-${quoted}${n}`));
  });

  it('publishes to each workspace its events, in the order of the log', async () => {
    for (const name of ['a', 'b', 'c']) {
      await endScan(name, lumen);
      await endScan(`their ${name}`, nova);
    }
    await publishAll(aPublisher());
    expect(await announced(lumen)).toEqual(['job-a', 'job-b', 'job-c']);
    expect(await announced(nova)).toEqual(['job-their a', 'job-their b', 'job-their c']);
  });

  it('names the cause, in the event and in its metadata, and takes the cause’s time and chain', async () => {
    await endScan('a', lumen, 7_000);
    const [cause] = await log.readStream(streamName('scan', derivedId('scan', 'a')));
    await publishAll(aPublisher());
    const [published] = await feedOf(lumen);
    expect(published?.data.cause).toEqual({ eventId: cause?.id, stream: cause?.stream, revision: 0 });
    expect(published?.metadata).toEqual({
      at: 7_000,
      correlationId: 'req-a',
      causationId: cause?.id,
      actor: 'process:publisher',
      workspaceId: lumen,
    });
    expect(JSON.parse(published?.data.personal.bytes ?? '')).toMatchObject({
      id: published?.data.eventId,
      type: 'scan.completed',
      workspace_id: lumen,
      created_at: 7_000,
    });
  });

  it.each([1, 2, 1_000])(
    'rises in time from cause to cause, with any clock, in pages of %i: an id begins with the feed’s time, and the cause’s time is shown',
    async (limit) => {
      for (const [name, at] of [
        ['a', 7_000],
        ['b', 3_000],
        ['c', 7_001],
        ['d', 9_000],
      ] as const) {
        await endScan(name, lumen, at);
      }
      await publishAll(aPublisher(), { limit });
      await endScan('e', lumen, 2_000);
      // A publisher that takes over knows the time from the feed.
      await publishAll(aPublisher(), { limit });
      const feed = await feedOf(lumen);
      const times = [7_000, 7_001, 7_002, 9_000, 9_001];
      expect(feed.map(({ data }) => instantIn(data.eventId))).toEqual(times);
      expect(feed.map(({ metadata }) => metadata.at)).toEqual(times);
      const announced = feed.map(({ data }) => JSON.parse(data.personal.bytes).created_at);
      expect(announced).toEqual([7_000, 3_000, 7_001, 9_000, 2_000]);
    },
  );

  it('publishes nothing for events of no workspace', async () => {
    await endScan('a', null);
    await publishAll(aPublisher());
    expect(await log.head()).toBe(3);
  });

  it('of a page makes one append for a workspace', async () => {
    for (let n = 0; n < 50; n++) await endScan(`${n}`);
    await publishAll(aPublisher(failing('before', new Set([2]))));
    expect(await announced(lumen)).toEqual(Array.from({ length: 50 }, (_, n) => `job-${n}`));
  });
});

describe('nothing is published twice or left out', () => {
  const publishedOnce = ['job-a', 'job-b', 'job-c', 'job-d'];
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c', 'd']) await endScan(name);
  });

  it('when the same page is handled again, by the same publisher or another', async () => {
    const publisher = aPublisher();
    const page = await log.readLog({ after: 0, types: publisher.types });
    await publisher.handle(page);
    await publisher.handle(page);
    await aPublisher().handle(page);
    expect(await announced(lumen)).toEqual(publishedOnce);
  });

  it('when another process publishes between its read of the feed and its append: it is refused, and starts over', async () => {
    const other = aPublisher();
    const racing = failing('before', new Set());
    const append = racing.append.bind(racing);
    let isFirst = true;
    racing.append = async (...given) => {
      if (isFirst) await publishAll(other);
      isFirst = false;
      return append(...given);
    };
    const slow = aPublisher(racing);
    await expect(publishAll(slow)).rejects.toThrow('revision');
    await endScan('e');
    await publishAll(slow);
    await publishAll(other);
    expect(await announced(lumen)).toEqual([...publishedOnce, 'job-e']);
  });

  it('when a publisher that was overtaken continues with an outdated cache', async () => {
    const old = aPublisher();
    const first = await log.readLog({ after: 0, limit: 2, types: old.types });
    await old.handle(first);
    await publishAll(aPublisher());
    const rest = await log.readLog({ after: first.reached, types: old.types });
    await expect(old.handle(rest)).rejects.toThrow('revision');
    await old.handle(rest);
    expect(await announced(lumen)).toEqual(publishedOnce);
  });

  it('with a crash at any point, in pages of any size, among many workspaces', async () => {
    const world = fc.record({
      events: fc.array(fc.record({ index: fc.nat(workspaces.length - 1), at: fc.nat(20) }), {
        minLength: 1,
        maxLength: 25,
        size: 'max',
      }),
      limit: fc.integer({ min: 1, max: 6 }),
      when: fc.constantFrom('before' as const, 'after' as const),
      failsAt: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }),
      checkpoints: fc.array(fc.nat(25), { minLength: 10, maxLength: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(world, async ({ events, limit, when, failsAt, checkpoints }) => {
        log = new InMemoryEventLog();
        const expected = new Map<WorkspaceId, string[]>(workspaces.map((workspaceId) => [workspaceId, []]));
        for (const [n, { index, at }] of events.entries()) {
          const workspaceId = workspaces[index] ?? lumen;
          await endScan(`${n}`, workspaceId, at);
          expected.get(workspaceId)?.push(`job-${n}`);
        }
        const positions = [0, ...(await log.readLog({ after: 0 })).events.map(({ position }) => position)];
        const over = failing(when, new Set(failsAt));
        let after = 0;
        for (const checkpoint of checkpoints) {
          // Each is a new process, which may know only an older checkpoint than where the last one came.
          const hasFailed = await publishAll(aPublisher(over), { after, limit }).then(
            () => false,
            () => true,
          );
          if (!hasFailed) break;
          const reached = Math.min(checkpoint, positions.length - 1);
          after = Math.min(after, positions[reached] ?? 0);
        }
        await publishAll(aPublisher(), { after, limit });
        for (const [workspaceId, names] of expected) expect(await announced(workspaceId)).toEqual(names);
        const disturbed = await Promise.all(workspaces.map(bytes));
        log = await withoutFeeds(log);
        await publishAll(aPublisher());
        expect(await Promise.all(workspaces.map(bytes))).toEqual(disturbed);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a cause that was set aside and is retried (D67)', () => {
  const causeOf = async (name: string) => {
    const [event] = await log.readStream(streamName('scan', derivedId('scan', name)));
    if (event === undefined) throw new Error(`${name} has not ended`);
    return event;
  };
  /** As the log has it once an operator has asked for it. */
  const retried = async (name: string) => {
    const { id, metadata } = await causeOf(name);
    const stream = streamName('setAside', `publisher:${id}`);
    const data = { runner: 'publisher', part: null, item: { kind: 'event', eventId: id } };
    await log.append(stream, 'any', [{ id: newEventId(), type: 'setAside.retried.v1', data, metadata }]);
    const [event] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
    if (event === undefined) throw new Error('nothing was retried');
    return event;
  };
  /** The others have been published without it. */
  const withoutB = async () => {
    for (const name of ['a', 'b', 'c']) await endScan(name);
    const publisher = aPublisher();
    for (const name of ['a', 'c']) {
      await publisher.handle({ events: [await causeOf(name)] });
    }
    return publisher;
  };

  it('is published at the end of the feed, under the id that its cause and type give, and names its cause', async () => {
    const publisher = await withoutB();
    await publisher.retry(await causeOf('b'), await retried('b'));
    expect(await announced(lumen)).toEqual(['job-a', 'job-c', 'job-b']);
    const last = (await feedOf(lumen)).at(-1);
    const cause = await causeOf('b');
    expect(last?.data.eventId).toBe(publicEventId(cause.id, last?.metadata.at ?? 0, 'scan.completed'));
    expect(last?.data.cause.eventId).toBe(cause.id);
    expect(last?.metadata.causationId).toBe(cause.id);
  });

  it('never moves the point where publishing resumes: nothing is published twice or left out', async () => {
    const publisher = await withoutB();
    await publisher.retry(await causeOf('b'), await retried('b'));
    // After a crash that lost the checkpoint too: the set aside event is passed, as its feed has come further.
    await publishAll(aPublisher());
    await endScan('d');
    await publishAll(aPublisher());
    expect(await announced(lumen)).toEqual(['job-a', 'job-c', 'job-b', 'job-d']);
  });

  it('is published once, however often the retry is handled', async () => {
    const publisher = await withoutB();
    const again = await retried('b');
    await publisher.retry(await causeOf('b'), again);
    await publisher.takeOver();
    await publisher.retry(await causeOf('b'), again);
    expect(await announced(lumen)).toEqual(['job-a', 'job-c', 'job-b']);
  });
});

describe('an append that the log refuses as too large (D67)', () => {
  /** The log beneath counts what encryption makes of the events. */
  const encrypting = (limit: number): EventLog => {
    const over = failing('before', new Set());
    const append = over.append.bind(over);
    over.append = async (stream, expected, events) => {
      if (JSON.stringify(events).length > limit) throw new InvalidAppend('too large');
      return append(stream, expected, events);
    };
    return over;
  };

  it.each([
    ['501 events', 501, 1],
    ['560,000 characters', 8, 70_000],
  ])('is split before it is encrypted if it has %s', async (_, count, length) => {
    const over = failing('before', new Set());
    const append = over.append.bind(over);
    const appended: number[] = [];
    over.append = (stream, expected, events) => {
      appended.push(events.length);
      return append(stream, expected, events);
    };
    for (let n = 0; n < count; n++) await endScan('x'.repeat(length) + n);
    await publishAll(aPublisher(over));
    expect(appended[0]).toBe(Math.ceil(count / 2));
  });

  it('is split until each part fits, and all is published once and in order', async () => {
    const names = Array.from({ length: 37 }, (_, n) => `${n}`);
    for (const name of names) await endScan(name);
    await publishAll(aPublisher(encrypting(3_000)));
    expect(await announced(lumen)).toEqual(names.map((name) => `job-${name}`));
  });

  it('fails where one cause alone does not fit, with all before it published', async () => {
    for (const name of ['a', 'b', '"'.repeat(3_000), 'd']) await endScan(name);
    await expect(publishAll(aPublisher(encrypting(3_000)))).rejects.toThrow(InvalidAppend);
    expect(await announced(lumen)).toEqual(['job-a', 'job-b']);
  });
});
