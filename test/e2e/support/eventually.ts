import { setTimeout as delay } from 'node:timers/promises';
import { TIMEOUT_FACTOR } from './timeout-factor.js';

interface WaitOptions {
  /** How long it may take, in milliseconds. */
  readonly within?: number;
  /** What to do between two looks; a short wait where it is left out. */
  readonly betweenPolls?: () => Promise<unknown>;
}

/** Looks again until nothing is thrown; then the value of that look; at the end, the error of the last. */
export const eventually = async <T>(
  look: () => Promise<T> | T,
  { within = 10_000 * TIMEOUT_FACTOR, betweenPolls = () => delay(5) }: WaitOptions = {},
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
