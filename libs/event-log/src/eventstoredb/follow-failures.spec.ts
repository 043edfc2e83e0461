import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { EventLog, LogFilter, LogPage } from '#kernel';
import { event, events, ids } from '../contract/given-events.js';
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

test('a slow follower holds the server back, and neither memory nor the other calls of its process', async () => {
  const { log, double } = opened;
  const text = 'x'.repeat(100_000);
  const live = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  let pages = 0;
  await log.append('thing-1', 'none', [event()]);
  const following = followed(log, 202, async () => {
    // The second page has come by the subscription; from now on it takes nothing more for a while.
    if (++pages !== 2) return;
    live.resolve();
    await slow.promise;
  });
  while (pages === 0) await log.head();
  const [first, ...rest] = Array.from({ length: 201 }, () => event({ text }));
  if (first) await log.append('thing-1', 0, [first]);
  await live.promise;
  const before = double.bytesSent;
  for (const [n, one] of rest.entries()) await log.append('thing-1', n + 1, [one]);
  expect(double.bytesSent - before).toBeLessThan(4_000_000);
  slow.resolve();
  expect(await following).toEqual(ids(await log.readStream('thing-1')));
});
