import { performance } from 'node:perf_hooks';
// Not the global ones: a pause that began under a test's fake timers would never end, and nothing after it would run.
import { setImmediate, setTimeout } from 'node:timers';

const waiting: (() => void)[] = [];
let isUnderWay = false;

/** A pause is at most this many times as long as the part before it. */
const MOST_PAUSES = 8;

/**
 * Resolves when the next part of long work may run, which a store in this process does without a break. One part runs at
 * a time. After it everything else has as much time as it took, and more while others use most of that (D109).
 */
export const nextPart = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (isUnderWay) return;
    isUnderWay = true;
    setImmediate(startNext);
  });

const startNext = (): void => {
  const start = waiting.shift();
  isUnderWay = start !== undefined;
  if (start === undefined) return;
  const began = performance.now();
  start();
  // The part has run when the event loop reaches this.
  setImmediate(() => pause(performance.now() - began, performance.eventLoopUtilization()));
};

const pause = (
  length: number,
  before: ReturnType<typeof performance.eventLoopUtilization>,
  left = MOST_PAUSES,
): void => {
  setTimeout(() => {
    const isBusy = performance.eventLoopUtilization(before).utilization > 1 / 2;
    if (isBusy && left > 1) pause(length, before, left - 1);
    else startNext();
  }, length);
};
