import { setTimeout as delay } from 'node:timers/promises';
import { assertLeading, type Duration } from '#kernel';
import { asStoreError, hasTimedOut, mayGoWellAgain } from './failures.js';
import { LIMITS, type Work } from './work.js';

/** Runs a task that may have been done although it failed; `isRepeat` says whether. Rejects with `StoreUnavailable`. */
export type Repeating = <T>(task: (isRepeat: boolean) => Promise<T>) => Promise<T>;

/** Repeats a task that may run twice: for a request twice and not after a timeout, in the background more often. */
export const repeatingFor = (work: Work, pause: (wait: Duration) => Promise<unknown> = delay): Repeating => {
  const { waits, retriesTimeouts } = LIMITS[work];
  return async (task) => {
    for (let attempt = 0; ; attempt++) {
      assertLeading();
      try {
        return await task(attempt > 0);
      } catch (error) {
        const isWorthwhile = mayGoWellAgain(error) || (retriesTimeouts && hasTimedOut(error));
        const wait = isWorthwhile ? waits[attempt] : undefined;
        if (wait === undefined) throw asStoreError(error);
        await pause(wait);
      }
    }
  };
};

/** Runs a task that must not run twice. */
export const once = async <T>(task: () => Promise<T>): Promise<T> => {
  assertLeading();
  try {
    return await task();
  } catch (error) {
    throw asStoreError(error);
  }
};
