import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { FollowerNotifier } from '../follow.js';
import { CommitPoller } from './commit-poller.js';

const EVERY = 25;
let db: DatabaseSync;
let notifier: FollowerNotifier;
let over: AbortController;
let endsWithOwnAppends: boolean;

let writer: DatabaseSync;
let directory: string;
let file: string;
let poller: CommitPoller;

beforeEach(() => {
  jest.useFakeTimers();
  directory = mkdtempSync(join(tmpdir(), 'commit-poller-'));
  file = join(directory, 'events.db');
  writer = new DatabaseSync(file);
  writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE commits (n INTEGER)');
  db = new DatabaseSync(file);
  over = new AbortController();
  endsWithOwnAppends = false;
  notifier = new FollowerNotifier(() => poller.start());
  poller = new CommitPoller(db, file, notifier, EVERY, () => endsWithOwnAppends);
});

afterEach(() => {
  poller.stop();
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

test('one timer serves all that wait, until it is stopped', () => {
  const started = jest.spyOn(globalThis, 'setInterval');
  const ended = jest.spyOn(globalThis, 'clearInterval');
  for (let n = 0; n < 3; n++) void notifier.wait(notifier.notifications, over.signal);
  expect(started).toHaveBeenCalledTimes(1);
  poller.stop();
  expect(ended.mock.calls).toEqual([[started.mock.results[0]?.value]]);
});

test('a touch of the file wakes all that wait before the next poll', async () => {
  await asleep();
  const woken = [1, 2].map(() => notifier.wait(notifier.notifications, over.signal));
  commit();
  utimesSync(file, new Date(), new Date());
  // The timers are fake, so no poll is due.
  await Promise.all(woken);
});

test('polls where the file cannot be watched', async () => {
  const lost = join(directory, 'lost', 'events.db');
  poller = new CommitPoller(db, lost, notifier, EVERY, () => endsWithOwnAppends);
  await asleep();
  commit();
  expect(rings()).toBe(1);
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
