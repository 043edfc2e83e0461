import type { Duration } from '#kernel';
import type { SendOutcome } from './send-result.js';

/** How many concurrent requests an endpoint gets, and the pause between two (D63). */
export interface Pace {
  readonly concurrencyLimit: number;
  readonly pause: Duration;
  readonly failures: number;
}

const MAX_CONCURRENCY = 64;
const PAUSE_STEP: Duration = 10;
const MAX_PAUSE: Duration = 100;

export const FULL_PACE: Pace = { concurrencyLimit: MAX_CONCURRENCY, pause: 0, failures: 0 };

/** Each consecutive failure halves the limit, down to one at a time with a pause; each success adds one again. */
export const adjustLimit = ({ concurrencyLimit, failures }: Pace, outcome: SendOutcome): Pace => {
  if (outcome.kind === 'delivered')
    // The same object, so that nothing needs to be remembered of an endpoint that is well.
    return concurrencyLimit + 1 < MAX_CONCURRENCY
      ? { concurrencyLimit: concurrencyLimit + 1, pause: 0, failures: 0 }
      : FULL_PACE;
  const slower = Math.max(1, Math.floor(concurrencyLimit / 2));
  const pause = slower > 1 ? 0 : Math.min((failures + 1) * PAUSE_STEP, MAX_PAUSE);
  return { concurrencyLimit: slower, pause, failures: failures + 1 };
};
