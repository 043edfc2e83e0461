import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { NEVER } from '#kernel';
import { POLL_INTERVAL, Signal } from './signal.js';

const NOW = 1_000;

let signal: Signal;
let waited: boolean;

beforeEach(() => {
  jest.useFakeTimers();
  signal = new Signal();
  waited = false;
});

afterEach(() => {
  jest.useRealTimers();
});

const wait = (notified: Promise<void>, next = NEVER) => {
  void signal.waitForPoll(notified, next, NOW).then(() => {
    waited = true;
  });
};
/** Whether the wait has ended after another `duration` milliseconds. */
const hasEndedAfter = async (duration: number) => {
  jest.advanceTimersByTime(duration);
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  return waited;
};

it('ends at a notification, also at one between the poll and the wait', async () => {
  const notified = signal.wait();
  signal.notify();
  wait(notified);
  expect(await hasEndedAfter(0)).toBe(true);
});

it('ends when the next poll is due, without a notification', async () => {
  wait(signal.wait());
  expect(await hasEndedAfter(POLL_INTERVAL - 1)).toBe(false);
  expect(await hasEndedAfter(1)).toBe(true);
});

it('ends earlier when something falls due before the next poll, but no later when it falls due after it', async () => {
  wait(signal.wait(), NOW + 30);
  expect(await hasEndedAfter(29)).toBe(false);
  expect(await hasEndedAfter(1)).toBe(true);
  waited = false;
  wait(signal.wait(), NOW + 10 * POLL_INTERVAL);
  expect(await hasEndedAfter(POLL_INTERVAL)).toBe(true);
});

it('leaves no promise pending that later waits would add to', async () => {
  const notified = signal.wait();
  wait(notified);
  await hasEndedAfter(POLL_INTERVAL);
  expect(signal.wait()).not.toBe(notified);
});
