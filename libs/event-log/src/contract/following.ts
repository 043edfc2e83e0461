import { expect, test } from '@jest/globals';
import { type EventLog, eventInLog, type LogFilter, type LogPage, type Position, type RecordedEvent } from '#kernel';
import { event, events, ids } from './given-events.js';
import type { Opened } from './opened-event-log.js';

interface Following extends LogFilter {
  readonly after?: Position;
  readonly limit?: number;
}

/** Follows until this many events have arrived. */
async function followUntil(log: EventLog, count: number, options: Following = {}): Promise<RecordedEvent[]> {
  const read: RecordedEvent[] = [];
  const over = new AbortController();
  for await (const page of log.follow({ after: 0, ...options, signal: over.signal })) {
    read.push(...page.events);
    if (read.length >= count) over.abort();
  }
  return read;
}

/** A follower's pages, requested one by one. */
function follower(log: EventLog, after: Position, signal: AbortSignal, filter: LogFilter = {}) {
  const pages = log.follow({ after, signal, ...filter })[Symbol.asyncIterator]();
  return async (): Promise<LogPage | undefined> => (await pages.next()).value ?? undefined;
}

const FILTERS: readonly LogFilter[] = [
  {},
  { types: new Set(['even.v1']) },
  { types: new Set(['odd.v1']) },
  { categories: new Set(['even']) },
  { categories: new Set(['odd']), types: new Set(['odd.v1', 'other.v1']) },
];

export function following(opened: Opened): void {
  test('yields the existing events in pages, then the new ones', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(5));
    const over = new AbortController();
    const next = follower(log, 0, over.signal);
    const there = await next();
    expect(there).toMatchObject({ events: { length: 5 }, atEnd: true });
    for (let n = 0; n < 3; n++) {
      const coming = next();
      const { position } = await log.append('thing-2', 'any', [event({ n })]);
      expect(await coming).toMatchObject({ events: [{ data: { n }, position }] });
    }
    over.abort();
  });

  test('names the last event before the page ends, also one that is filtered out', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(2));
    const over = new AbortController();
    const next = follower(log, 0, over.signal, { types: new Set(['wanted.v1']) });
    const names = [await next()];
    for (const type of ['wanted.v1', 'other.v1']) {
      const coming = next();
      await log.append('thing-1', 'any', [event({}, type)]);
      names.push(await coming);
    }
    over.abort();
    const [, there, wanted, other] = await log.readStream('thing-1');
    expect(names.map((page) => page?.last)).toEqual([there, wanted, other].map((one) => one && eventInLog(one)));
  });

  test('waits at the end without a page', async () => {
    const { log } = opened();
    const { position } = await log.append('thing-1', 'none', events(2));
    const over = new AbortController();
    const coming = follower(log, position, over.signal)();
    const [late] = events(1);
    if (late) await log.append('thing-1', 1, [late]);
    expect(await coming).toMatchObject({ events: [{ id: late?.id }] });
    over.abort();
  });

  test.each([1, 8, 1_000])('misses and repeats nothing under concurrent appends, in pages of %i', async (limit) => {
    const { log } = opened();
    await Promise.all([1, 2, 3].map((n) => log.append(`thing-${n}`, 'none', events(10))));
    const followers = [1, 2, 3].map(() => followUntil(log, 230, { limit }));
    await Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        for (let n = 0; n < 10; n++) await log.append(`thing-${writer}`, 'any', events(1));
      }),
    );
    const { events: all } = await log.readLog({ after: 0, limit: 1_000 });
    expect(all).toHaveLength(230);
    for (const read of await Promise.all(followers)) expect(ids(read)).toEqual(ids(all));
  });

  test('filters, and yet gets past what it leaves out', async () => {
    const { log } = opened();
    const over = new AbortController();
    const next = follower(log, await log.head(), over.signal, { types: new Set(['wanted.v1']) });
    const coming = next();
    const unwanted = await log.append('thing-1', 'none', events(3));
    const passed = await coming;
    expect(passed?.events).toEqual([]);
    expect(passed?.reached).toBeGreaterThan(0);
    let reached = passed?.reached ?? 0;
    while (reached < unwanted.position) reached = (await next())?.reached ?? Infinity;
    const wanted = next();
    await log.append('thing-1', 2, [event({}, 'wanted.v1')]);
    expect(await wanted).toMatchObject({ events: [{ type: 'wanted.v1' }] });
    over.abort();
  });

  test('does not miss what was appended while its reader was busy with a page', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(1));
    const over = new AbortController();
    let seen = 0;
    for await (const page of log.follow({ after: 0, signal: over.signal })) {
      seen += page.events.length;
      if (seen < 5) await log.append('thing-1', 'any', events(1));
      else over.abort();
    }
    expect(seen).toBe(5);
  });

  test('twelve followers with different filters miss nothing, though one is stuck and connections are lost', async () => {
    const { log, loseConnections } = opened();
    const count = 60;
    let end = Number.POSITIVE_INFINITY;
    const over = new AbortController();
    const readToTheEnd = async (filter: LogFilter) => {
      const read: string[] = [];
      for await (const page of log.follow({ after: 0, ...filter, signal: over.signal })) {
        read.push(...ids(page.events));
        if (page.reached > end) return read;
      }
      throw new Error('the follower ended early');
    };
    const filters: LogFilter[] = Array.from({ length: 11 }, (_, n) => FILTERS[n % FILTERS.length] ?? {});
    await log.append('even-1', 'none', [event()]);
    const reading = filters.map(readToTheEnd);
    const stuck = follower(log, 0, over.signal);
    await stuck();
    const text = 'x'.repeat(100_000);
    let last = 0;
    for (let n = 0; n < count; n++) {
      const [category, type] = n % 2 === 0 ? ['odd', 'odd.v1'] : ['even', 'even.v1'];
      if (n % 20 === 10) loseConnections?.();
      // Each append names its revision, because one under `any` is not repeated after a lost connection.
      const before = Math.floor(n / 2) - (category === 'odd' ? 1 : 0);
      last = (await log.append(`${category}-1`, before < 0 ? 'none' : before, [event({ text }, type)])).position;
    }
    end = last;
    await log.append('end-1', 'none', [event()]);
    const results = await Promise.all(reading);
    const streams = await Promise.all((['even-1', 'odd-1', 'end-1'] as const).map((stream) => log.readStream(stream)));
    const all = streams.flat().toSorted((one, other) => one.position - other.position);
    for (const [n, { types, categories }] of filters.entries()) {
      const wanted = all.filter(
        ({ type, stream }) => (types?.has(type) ?? true) && (categories?.has(stream.split('-')[0] ?? '') ?? true),
      );
      expect(results[n]).toEqual(ids(wanted));
    }
    const late: string[] = [];
    while (late.length < all.length - 1) late.push(...ids((await stuck())?.events ?? []));
    expect(late).toEqual(ids(all.slice(1)));
    over.abort();
  });

  test('ends when aborted while it waits', async () => {
    const { log } = opened();
    const over = new AbortController();
    const next = follower(log, await log.head(), over.signal);
    const coming = next();
    over.abort();
    expect(await coming).toBeUndefined();
    expect(await next()).toBeUndefined();
  });

  test('ends when aborted between pages', async () => {
    const { log } = opened();
    await log.append('thing-1', 'none', events(4));
    const over = new AbortController();
    let pages = 0;
    for await (const _ of log.follow({ after: 0, limit: 1, signal: over.signal })) if (++pages === 2) over.abort();
    expect(pages).toBe(2);
  });

  test('leaves no listener on the signal behind', async () => {
    const { log } = opened();
    const over = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = over.signal;
    over.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++;
      addEventListener.apply(over.signal, args);
    };
    over.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--;
      removeEventListener.apply(over.signal, args);
    };
    const next = follower(log, await log.head(), over.signal);
    for (let n = 0; n < 20; n++) {
      const coming = next();
      await log.append('thing-1', 'any', events(1));
      await coming;
    }
    expect(listeners).toBeLessThanOrEqual(1);
    over.abort();
  });
}
