import { setTimeout as delay } from 'node:timers/promises';
import type { Duration } from '../instant.js';
import { errcodeOf } from './node-error.js';

const BUSY = 5;
const LOCKED = 6;
const PRIMARY = 0xff;
const LONGEST_PAUSE: Duration = 10;

/** For work that finds other processes in its way without an error of the database. */
export class DatabaseBusy extends Error {
  readonly errcode = BUSY;

  constructor() {
    super('other processes use the database');
    this.name = 'DatabaseBusy';
  }
}

export const isBusy = (error: unknown): boolean => [BUSY, LOCKED].includes(errcodeOf(error) & PRIMARY);

/** Repeats work while the database is busy. The work must have no effect when it throws. Rejects with the last error. */
export const retryWhileBusy = async <T>(work: () => T, timeout: Duration, longestPause = LONGEST_PAUSE): Promise<T> => {
  for (const end = performance.now() + timeout; ; ) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
    }
    await delay(pauseUpTo(longestPause));
  }
};

/** The same for code that may block: opening a database, and a thread that only writes. */
export const retryWhileBusySync = <T>(work: () => T, timeout: Duration): T => {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (const end = performance.now() + timeout; ; ) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
    }
    Atomics.wait(never, 0, 0, pauseUpTo(LONGEST_PAUSE));
  }
};

/** Random, so that processes that wait for each other do not collide again. */
const pauseUpTo = (longest: Duration): Duration => 1 + Math.random() * (longest - 1);
