import { setTimeout as delay } from 'node:timers/promises';
import { heard } from '#kernel';
import { asStoreError, mayGoWellAgain } from './failures.js';

/** Waits before the second and the third attempt, in milliseconds. */
const WAITS = [50, 250];

/** Runs what may be repeated although it may have been done, and gives up soon: who asked is waiting. */
export const repeating = async <T>(task: (isRepeat: boolean) => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await task(attempt > 0);
      heard.times++;
      return answer;
    } catch (error) {
      const wait = mayGoWellAgain(error) ? WAITS[attempt] : undefined;
      if (wait === undefined) throw asStoreError(error);
      await delay(wait);
    }
  }
};

/** Runs what must not be done twice. */
export const once = async <T>(task: () => Promise<T>): Promise<T> => {
  try {
    return await task();
  } catch (error) {
    throw asStoreError(error);
  }
};
