import type { CallOptions } from '../options.js';

export interface RetryClock {
  /** Milliseconds of a clock that is never set. */
  now(): number;
  /** A number from 0 to 1, without 1. */
  random(): number;
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The longest delay that a timer supports; a longer one would fire immediately. */
const MAX_TIMER = 2 ** 31 - 1;

const startTimer = (end: () => void, milliseconds: number): ReturnType<typeof setTimeout> =>
  setTimeout(end, Math.min(milliseconds, MAX_TIMER));

export const systemClock: RetryClock = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep(milliseconds, signal) {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const timer = startTimer(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, milliseconds);
      const end = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', end, { once: true });
    });
  },
};

/**
 * Runs the work with a signal that aborts after `milliseconds` with `late`, or when the caller's signal aborts, with
 * its reason. Leaves no timer and no listener behind.
 */
export const limited = async <Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  milliseconds: number,
  late: Result,
  signal: AbortSignal | undefined,
): Promise<Result> => {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = startTimer(abort, milliseconds);
  signal?.addEventListener('abort', abort, { once: true });
  // A `fetch` from the caller may ignore the signal.
  const aborted = new Promise<Result>((resolve, reject) => {
    const end = () => (signal?.aborted ? reject(signal.reason) : resolve(late));
    controller.signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([aborted, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
};

const DEFAULTS = { timeout: 30_000, deadline: 120_000, maxRetries: Number.POSITIVE_INFINITY };

export interface Limits {
  readonly timeout: number;
  readonly deadline: number;
  readonly maxRetries: number;
}

export const limitsOf = (client: CallOptions, call: CallOptions = {}): Limits => {
  const limit = (name: keyof Limits) => notNegative(name, call[name] ?? client[name] ?? DEFAULTS[name]);
  return { timeout: limit('timeout'), deadline: limit('deadline'), maxRetries: limit('maxRetries') };
};

/** With a text or NaN, for example from a missing environment variable, a wait would never end. */
export const notNegative = (name: string, value: number): number => {
  if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${name} must be a number of at least 0`);
  return value;
};
