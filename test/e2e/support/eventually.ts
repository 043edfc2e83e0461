import { setTimeout as delay } from 'node:timers/promises';
import { TIMEOUT_FACTOR } from './timeout-factor.js';

interface WaitOptions {
  /** How long it may take, in milliseconds. */
  readonly within?: number;
  /** Runs between two polls; a short wait if omitted. */
  readonly betweenPolls?: () => Promise<unknown>;
}

/** Looks again until nothing is thrown, and returns that value. After `within` it throws the error of the last look. */
export const eventually = async <T>(
  look: () => Promise<T> | T,
  { within = 30_000 * TIMEOUT_FACTOR, betweenPolls = () => delay(5) }: WaitOptions = {},
): Promise<T> => {
  const deadline = performance.now() + within;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await betweenPolls();
  }
};
