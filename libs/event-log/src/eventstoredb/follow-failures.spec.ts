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
