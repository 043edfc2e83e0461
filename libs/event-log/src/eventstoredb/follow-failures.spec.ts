import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { EventLog, LogFilter, LogPage } from '#kernel';
import { events, ids } from '../contract/given-events.js';
import { logOnDouble } from './testing/log-on-double.js';

let opened: Awaited<ReturnType<typeof logOnDouble>>;

beforeEach(async () => {
  opened = await logOnDouble({ retryFor: 20_000 });
});
afterEach(() => opened.close());

/** Follows until that many events have come. */
async function followed(log: EventLog, count: number, onPage: (page: LogPage) => Promise<void> | void = () => {}) {
  const read: string[] = [];
  const over = new AbortController();
  for await (const page of log.follow({ after: 0, signal: over.signal })) {
    await onPage(page);
    read.push(...ids(page.events));
    if (read.length >= count) over.abort();
  }
  return read;
}

test('misses and repeats nothing, however often the connection breaks', async () => {
  const { log, double, reopen } = opened;
  const follower = await reopen();
  let pages = 0;
  const following = followed(follower, 200, () => {
    if (++pages % 3 === 0) double.loseConnections();
  });
  for (let n = 0; n < 100; n++) await log.append('thing-1', n === 0 ? 'none' : 2 * n - 1, events(2));
  expect(await following).toEqual(ids(await log.readStream('thing-1')));
  expect(pages).toBeGreaterThan(3);
});

test('continues where it was when the server is back', async () => {
  const { log, double } = opened;
  const some = events(2);
  await log.append('thing-1', 'none', some.slice(0, 1));
  const following = followed(log, 2, async ({ events: [first] }) => {
    if (first?.id !== some[0]?.id) return;
    await double.whileAway(async () => {});
    await log.append('thing-1', 0, some.slice(1));
  });
  expect(await following).toEqual(ids(some));
});

test('throws to its follower when the server stays unavailable', async () => {
  const { double, reopen } = opened;
  const impatient = await reopen({ retryFor: 50 });
  await impatient.append('thing-1', 'none', events(1));
  const pages = impatient.follow({ after: 0, signal: new AbortController().signal })[Symbol.asyncIterator]();
  await pages.next();
  await double.whileAway(async () => {
    await expect(pages.next()).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });
});

test.each<[string, LogFilter]>([
  ['types', { types: new Set(['wanted.v1']) }],
  ['categories', { categories: new Set(['wanted']) }],
  ['neither of all', { types: new Set() }],
])('gets to every head that is seen, though its filter of %s leaves all out', async (_, filter) => {
  const { log, reopen } = opened;
  const follower = await reopen();
  const over = new AbortController();
  let reached = 0;
  let heard: () => void = () => {};
  const following = (async () => {
    for await (const page of follower.follow({ after: 0, ...filter, signal: over.signal })) {
      expect(page.events).toEqual([]);
      reached = page.reached;
      heard();
    }
  })();
  for (let n = 0; n < 30; n++) {
    const { position } = await log.append('thing-1', 'any', events(1 + (n % 3)));
    while (reached < position) await new Promise<void>((resolve) => (heard = resolve));
  }
  over.abort();
  await following;
});

test('followers of one log share a subscription, and open one again after the last has left', async () => {
  const { log, double } = opened;
  for (let round = 1; round <= 2; round++) {
    const over = new AbortController();
    const followers = Array.from({ length: 12 }, () => log.follow({ after: 0, signal: over.signal }));
    const read = followers.map(async (pages) => {
      const arrived: string[] = [];
      for await (const page of pages) {
        arrived.push(...ids(page.events));
        if (arrived.length >= 20 * round) return arrived;
      }
      return arrived;
    });
    for (let n = 0; n < 20; n++) await log.append('thing-1', 'any', events(1));
    const all = ids(await log.readStream('thing-1'));
    expect(await Promise.all(read)).toEqual(followers.map(() => all));
    over.abort();
    expect(double.answered.subscriptions).toBe(round);
  }
});

test('none of twelve followers misses or repeats anything when connections break, one being stuck', async () => {
  const { log, double, reopen } = opened;
  const shared = await reopen();
  await log.append('thing-1', 'none', events(1));
  const over = new AbortController();
  const stuck = shared.follow({ after: 0, signal: over.signal })[Symbol.asyncIterator]();
  await stuck.next();
  const following = Array.from({ length: 11 }, () => followed(shared, 61));
  for (let n = 0; n < 60; n++) {
    if (n % 20 === 10) double.loseConnections();
    await log.append('thing-1', n, events(1));
  }
  const all = ids(await log.readStream('thing-1'));
  for (const read of await Promise.all(following)) expect(read).toEqual(all);
  const late: string[] = [];
  while (late.length < 60) late.push(...ids((await stuck.next()).value?.events ?? []));
  expect(late).toEqual(all.slice(1));
  over.abort();
});
