import { expect, test } from '@jest/globals';
import { type EventLog, eventInLog, type LogFilter, type RecordedEvent } from '#kernel';
import { event, events, ids } from './given-events.js';
import type { Opened } from './opened-event-log.js';

/** All from `after` on, page by page. */
async function readAll(log: EventLog, limit: number, filter: LogFilter = {}, after = 0): Promise<RecordedEvent[]> {
  const read: RecordedEvent[] = [];
  for (let reached = after; ; ) {
    const page = await log.readLog({ ...filter, after: reached, limit });
    expect(page.events.length).toBeLessThanOrEqual(limit);
    expect(page.reached).toBeGreaterThanOrEqual(reached);
    for (const { position } of page.events) {
      expect(position).toBeGreaterThan(reached);
      expect(position).toBeLessThanOrEqual(page.reached);
    }
    read.push(...page.events);
    reached = page.reached;
    if (page.atEnd) return read;
  }
}

/** 60 events of three streams and two categories, of which every third is `thing.ended.v1`. */
async function givenLog(log: EventLog): Promise<RecordedEvent[]> {
  for (let n = 0; n < 30; n++) {
    const stream = n % 2 === 0 ? 'thing-1' : n % 4 === 1 ? 'thing-2' : 'other-1';
    const types = [0, 1].map((k) => ((2 * n + k) % 3 === 0 ? 'thing.ended.v1' : 'thing.happened.v1'));
    await log.append(
      stream,
      'any',
      types.map((type) => event({ n }, type)),
    );
  }
  return readAll(log, 1_000);
}

const ended = (one: RecordedEvent) => one.type === 'thing.ended.v1';
const ofThing = (one: RecordedEvent) => one.stream.startsWith('thing-');

const FILTERS: readonly (readonly [string, LogFilter, (one: RecordedEvent) => boolean])[] = [
  ['one type', { types: new Set(['thing.ended.v1']) }, ended],
  ['several types', { types: new Set(['thing.ended.v1', 'thing.happened.v1', 'never.v1']) }, () => true],
  ['one category', { categories: new Set(['thing']) }, ofThing],
  [
    'type and category',
    { types: new Set(['thing.ended.v1']), categories: new Set(['thing']) },
    (one) => ended(one) && ofThing(one),
  ],
  ['a type that never was', { types: new Set(['never.v1']) }, () => false],
  ['no type at all', { types: new Set() }, () => false],
  ['a category that begins another', { categories: new Set(['thin']) }, () => false],
];

export function readingTheLog(opened: Opened): void {
  test('an empty log is at its end', async () => {
    const { log } = opened();
    const head = await log.head();
    expect(await log.readLog({ after: head })).toEqual({ events: [], reached: head, atEnd: true });
  });

  test('pages of any length show all events once, in the order of positions', async () => {
    const { log } = opened();
    const all = await givenLog(log);
    expect(all).toHaveLength(60);
    for (const limit of [1, 7, 60, 1_000]) expect([limit, ids(await readAll(log, limit))]).toEqual([limit, ids(all)]);
  });

  test('starts after any event', async () => {
    const { log } = opened();
    const all = await givenLog(log);
    for (const [index, { position }] of all.entries()) {
      const { events: rest } = await log.readLog({ after: position, limit: 3 });
      expect(ids(rest)).toEqual(ids(all.slice(index + 1, index + 4)));
    }
  });

  test('shows only events that the filter asks for', async () => {
    const { log } = opened();
    const all = await givenLog(log);
    for (const [what, filter, matches] of FILTERS) {
      for (const limit of [1, 7, 1_000])
        expect([what, limit, ids(await readAll(log, limit, filter))]).toEqual([what, limit, ids(all.filter(matches))]);
    }
  });

  test('gets past events that a filter leaves out', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', [event({}, 'wanted.v1'), ...events(5)]);
    const head = await log.head();
    const filter = { types: new Set(['wanted.v1']) };
    let page = await log.readLog({ ...filter, after: 0 });
    while (!page.atEnd) page = await log.readLog({ ...filter, after: page.reached });
    expect(page.reached).toBeGreaterThanOrEqual(head);
    expect(await log.readLog({ ...filter, after: page.reached })).toMatchObject({ events: [], atEnd: true });
  });

  test('names the last event up to where a page reaches, with any filter', async () => {
    const { log } = opened();
    const all = await givenLog(log);
    const head = await log.head();
    for (const [what, filter] of [['all events', {}] as const, ...FILTERS]) {
      for (let reached = 0; reached < head; ) {
        const page = await log.readLog({ ...filter, after: reached, limit: 4 });
        const expected = all.findLast(({ position }) => position <= page.reached);
        if (expected !== undefined) expect([what, page.last]).toEqual([what, eventInLog(expected)]);
        reached = page.reached;
      }
    }
    for (const after of [0, head])
      expect(await log.readLog({ after, types: new Set(), limit: 1 })).toMatchObject({ last: { position: head } });
  });

  test('sees events of a type that is new in the log', async () => {
    const { log } = opened();
    const filter = { types: new Set(['late.v1']), categories: new Set(['latecomer']) };
    await log.append('thing-1', 'none', events(2));
    expect(await readAll(log, 10, filter)).toEqual([]);
    await log.append('latecomer-1', 'none', [event({}, 'late.v1')]);
    expect(await readAll(log, 10, filter)).toHaveLength(1);
  });

  test('every reader sees the same order, while writers append', async () => {
    const { log } = opened();
    const writers = Array.from({ length: 10 }, async (_, writer) => {
      for (let n = 0; n < 10; n++) await log.append(`thing-${writer}`, 'any', events(1 + (n % 3)));
    });
    const readers = [3, 10, 1_000].map(async (limit) => {
      const read: string[] = [];
      for (let after = 0; read.length < 190; ) {
        const page = await log.readLog({ after, limit, categories: new Set(['thing']) });
        read.push(...ids(page.events));
        after = page.reached;
      }
      return read;
    });
    const [first, ...others] = await Promise.all(readers);
    await Promise.all(writers);
    expect(new Set(first).size).toBe(190);
    for (const other of others) expect(other).toEqual(first);
  });
}
