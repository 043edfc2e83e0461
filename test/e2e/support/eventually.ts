import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE } from './patience.js';

interface Patience {
  /** How long it may take, in milliseconds. */
  readonly within?: number;
  /** What to do between two looks; a short wait where it is left out. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** Looks again until nothing is thrown; then the value of that look, else the error of the last. */
export const eventually = async <T>(
  look: () => Promise<T> | T,
  { within = 10_000 * PATIENCE, meanwhile = () => delay(5) }: Patience = {},
): Promise<T> => {
  const deadline = performance.now() + within;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await meanwhile();
  }
};
