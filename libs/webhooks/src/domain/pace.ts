import type { Duration } from '#kernel';
import type { SendOutcome } from '../application/ports.js';

/** How fast an endpoint is sent to: how much at once, and how long apart (D63). */
export interface Pace {
  readonly atOnce: number;
  readonly pause: Duration;
  readonly failures: number;
}

const MOST_AT_ONCE = 64;
const PAUSE_STEP: Duration = 10;
const MOST_PAUSE: Duration = 100;

export const FULL_PACE: Pace = { atOnce: MOST_AT_ONCE, pause: 0, failures: 0 };

/** Each failure in a row halves it, down to one at a time with a pause in between; each success adds one again. */
export const paceAfter = ({ atOnce, failures }: Pace, outcome: SendOutcome): Pace => {
  if (outcome.kind === 'delivered') return { atOnce: Math.min(atOnce + 1, MOST_AT_ONCE), pause: 0, failures: 0 };
  const slower = Math.max(1, Math.floor(atOnce / 2));
  const pause = slower > 1 ? 0 : Math.min((failures + 1) * PAUSE_STEP, MOST_PAUSE);
  return { atOnce: slower, pause, failures: failures + 1 };
};
