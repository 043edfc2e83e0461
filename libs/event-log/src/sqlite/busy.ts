import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { type Duration, StoreUnavailable } from '#kernel/ports';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** Errors of Node's own modules are recognised by shape: in a test's realm they are no instances of its `Error`. */
const member = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** The name that Node gives an error, for those who log it. */
export const codeOf = (error: unknown): unknown => member(error, 'code');

/** Whether another connection is in the way: nothing is wrong, and a repeat may succeed. */
export function isBusy(error: unknown): boolean {
  const extended = member(error, 'errcode');
  const primary = typeof extended === 'number' ? extended & 0xff : undefined;
  return primary === SQLITE_BUSY || primary === SQLITE_LOCKED;
}

/**
 * Runs a piece of database work that leaves nothing behind when it throws, again and again while the database is
 * busy. SQLite's own waiting would hold up the event loop, so that is kept short and the rest is waited out here.
 */
export async function patiently<T>(work: () => T, patience: Duration): Promise<T> {
  const end = performance.now() + patience;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw unavailable(error);
    }
    // Uneven, so that processes that wait for each other do not keep step.
    await setTimeout(1 + Math.random() * 10);
  }
}

/** The same for what may block: opening, and a thread of its own. */
export function patientlySync<T>(work: () => T, patience: Duration): T {
  const end = performance.now() + patience;
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
