import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { WakeUps } from '../wake-ups.js';
import { ForeignCommits } from './foreign-commits.js';

const EVERY = 25;
let db: DatabaseSync;
let wakeUps: WakeUps;
let over: AbortController;

beforeEach(() => {
  jest.useFakeTimers();
  db = new DatabaseSync(':memory:');
  over = new AbortController();
  wakeUps = new WakeUps(() => foreign.watch());
  const foreign = new ForeignCommits(db, wakeUps, EVERY);
});

afterEach(() => {
  db.close();
  jest.useRealTimers();
});

/** The first look always rings, since what happened before it is not known. */
async function asleep(): Promise<void> {
  const woken = wakeUps.since(wakeUps.count, over.signal);
  jest.advanceTimersByTime(EVERY);
  await woken;
}

test('one timer serves all that wait, and none runs before and after', async () => {
  expect(jest.getTimerCount()).toBe(0);
  await asleep();
  const waiting = [1, 2, 3].map(() => wakeUps.since(wakeUps.count, over.signal));
  expect(jest.getTimerCount()).toBe(1);
  over.abort();
  await Promise.all(waiting);
  jest.advanceTimersByTime(EVERY);
  expect(jest.getTimerCount()).toBe(0);
});

test('wakes nobody while nothing is committed', async () => {
  await asleep();
  const before = wakeUps.count;
  void wakeUps.since(before, over.signal);
  jest.advanceTimersByTime(100 * EVERY);
  expect(wakeUps.count).toBe(before);
});

test('wakes whoever waits when it can not look any more', async () => {
  await asleep();
  const woken = wakeUps.since(wakeUps.count, over.signal);
  db.close();
  jest.advanceTimersByTime(EVERY);
  await woken;
  db = new DatabaseSync(':memory:');
});
