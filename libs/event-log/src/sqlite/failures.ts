import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { type Duration, StoreUnavailable } from '#kernel/ports';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** Errors of Node's own modules are recognized by shape, because under Jest they belong to another realm. */
const member = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** Node's code for an error, for the log. */
export const codeOf = (error: unknown): unknown => member(error, 'code');

/** Whether another connection holds a lock, so that a repeat may succeed. */
export function isBusy(error: unknown): boolean {
  const extended = member(error, 'errcode');
  const primary = typeof extended === 'number' ? extended & 0xff : undefined;
  return primary === SQLITE_BUSY || primary === SQLITE_LOCKED;
}

/**
 * Repeats database work while the database is busy, for at most `timeout`. The work must have no effect when it throws.
 * SQLite's own wait blocks the event loop; it is kept short, and the rest of the wait is here.
 */
export async function retryWhileBusy<T>(work: () => T, timeout: Duration): Promise<T> {
  const end = performance.now() + timeout;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw unavailable(error);
    }
    // Random, so that processes that wait for each other do not collide again.
    await setTimeout(1 + Math.random() * 10);
  }
}

/** The same for code that may block: opening a database, and the append thread. */
export function retryWhileBusySync<T>(work: () => T, timeout: Duration): T {
  const end = performance.now() + timeout;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw unavailable(error);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1 + Math.random() * 10);
  }
}

export const unavailable = (error: unknown): StoreUnavailable =>
  error instanceof StoreUnavailable
    ? error
    : new StoreUnavailable(`event log: ${String(member(error, 'message') ?? error)}`, { cause: error });
