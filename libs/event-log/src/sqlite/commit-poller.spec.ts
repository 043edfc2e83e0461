import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { FollowerNotifier } from '../follower-notifier.js';
import { CommitPoller } from './commit-poller.js';

const EVERY = 25;
let db: DatabaseSync;
let notifier: FollowerNotifier;
let over: AbortController;
let endsWithOwnAppends: boolean;

let writer: DatabaseSync;
let directory: string;

beforeEach(() => {
  jest.useFakeTimers();
  directory = mkdtempSync(join(tmpdir(), 'commit-poller-'));
  const file = join(directory, 'events.db');
  writer = new DatabaseSync(file);
  writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE commits (n INTEGER)');
  db = new DatabaseSync(file);
  over = new AbortController();
  endsWithOwnAppends = false;
  notifier = new FollowerNotifier(() => foreign.start());
  const foreign = new CommitPoller(db, notifier, EVERY, () => endsWithOwnAppends);
});

afterEach(() => {
  if (db.isOpen) db.close();
  writer.close();
  rmSync(directory, { recursive: true });
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const commit = () => writer.exec('INSERT INTO commits VALUES (1)');

/** The first look always rings, since what happened before it is not known. */
async function asleep(): Promise<void> {
  const woken = notifier.wait(notifier.notifications, over.signal);
  jest.advanceTimersByTime(EVERY);
  await woken;
}

/** How often it rings in a while in which somebody waits. */
const rings = (): number => {
  const before = notifier.notifications;
  void notifier.wait(before, over.signal);
  jest.advanceTimersByTime(100 * EVERY);
  return notifier.notifications - before;
};

test('one timer serves all that wait, and none runs before and after', async () => {
  const started = jest.spyOn(globalThis, 'setInterval');
  const ended = jest.spyOn(globalThis, 'clearInterval');
  const waiting = [1, 2, 3].map(() => notifier.wait(notifier.notifications, over.signal));
  expect(started).toHaveBeenCalledTimes(1);
  over.abort();
  await Promise.all(waiting);
  expect(ended).not.toHaveBeenCalled();
  jest.advanceTimersByTime(EVERY);
  expect(ended.mock.calls).toEqual([[started.mock.results[0]?.value]]);
});

test('notifies nobody while nothing is committed', async () => {
  await asleep();
  expect(rings()).toBe(0);
});

test('wakes all that wait once if it cannot poll any more', async () => {
  await asleep();
  const woken = notifier.wait(notifier.notifications, over.signal);
  db.close();
  jest.advanceTimersByTime(EVERY);
  await woken;
  expect(rings()).toBe(0);
});

test('wakes all that wait once for each commit of another process', async () => {
  await asleep();
  commit();
  expect(rings()).toBe(1);
  expect(rings()).toBe(0);
});

test('notifies nobody for appends of this process, which has already notified its followers', async () => {
  await asleep();
  endsWithOwnAppends = true;
  commit();
  expect(rings()).toBe(0);
  endsWithOwnAppends = false;
  commit();
  expect(rings()).toBe(1);
});
