import { statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { EventLog } from '#kernel';
import { turnsDuring } from '#testing';
import { event, events, revisions } from '../contract/given-events.js';
import { temporaryLog } from './testing/temporary-log.js';

let temporary: Awaited<ReturnType<typeof temporaryLog>>;
let log: EventLog;

beforeEach(async () => {
  temporary = await temporaryLog();
  log = temporary.open();
});

afterEach(() => temporary.close());

test('searches a rare type in several short pages, each of which advances', async () => {
  for (let n = 0; n < 45; n++) await log.append('thing-1', 'any', events(500));
  await log.append('thing-1', 'any', [event({}, 'rare.v1')]);
  const reached: number[] = [];
  for await (const page of log.follow({ after: 0, types: new Set(['rare.v1']), signal: AbortSignal.timeout(20_000) })) {
    reached.push(page.reached);
    if (page.events.length > 0) break;
  }
  expect(reached).toEqual([20_000, 22_501]);
});

test('a burst greater than a group is committed in several, in its order', async () => {
  const results = await Promise.all(Array.from({ length: 5 }, () => log.append('thing-1', 'any', events(400))));
  expect(results.map(({ revision }) => revision)).toEqual([399, 799, 1199, 1599, 1999]);
});

test('a follower that is never done does not keep the write-ahead log from being reused', async () => {
  const { signal } = new AbortController();
  const pages = log.follow({ after: 0, limit: 10, signal })[Symbol.asyncIterator]();
  for (let n = 0; n < 40; n++) {
    await log.append('thing-1', 'any', events(500));
    await pages.next();
  }
  expect(statSync(`${temporary.file}-wal`).size).toBeLessThan(12_000_000);
});

test('reads a stream of large events in several turns of the event loop, and one of small events in one', async () => {
  const text = 'x'.repeat(400_000);
  for (let n = 0; n < 48; n++) await log.append('large-1', 'any', [event({ text })]);
  await log.append('small-1', 'any', events(400));
  const forwards = log.readStream('large-1', { from: 1, limit: 40 });
  expect(await turnsDuring(forwards)).toBeGreaterThanOrEqual(2);
  expect(revisions(await forwards)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  const backwards = log.readStream('large-1', { direction: 'backwards' });
  expect(await turnsDuring(backwards)).toBeGreaterThanOrEqual(2);
  expect(revisions(await backwards)).toEqual(Array.from({ length: 48 }, (_, n) => 47 - n));
  const small = log.readStream('small-1');
  expect(await turnsDuring(small)).toBe(0);
  expect(revisions(await small)).toHaveLength(400);
});

test('the file is for its owner only', () => {
  expect(statSync(temporary.file).mode & 0o777).toBe(0o600);
});
