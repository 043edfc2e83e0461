import { setTimeout as delay } from 'node:timers/promises';
import type { Duration } from '#kernel';

/** Runs the task, and renews what it holds while it runs. When `renew` answers false, `lost` is aborted and renewing ends. */
export const whileRenewing = async <T>(
  every: Duration,
  renew: () => Promise<boolean>,
  task: (lost: AbortSignal) => Promise<T>,
): Promise<T> => {
  const over = new AbortController();
  const lost = new AbortController();
  const renewing = (async () => {
    while (await passes(every, over.signal)) {
      if (!(await renew())) return lost.abort();
    }
  })();
  try {
    return await task(lost.signal);
  } finally {
    over.abort();
    // Otherwise a late renewal could take again what the caller releases next.
    await renewing;
  }
};

/** False if the signal was aborted before the time had passed. */
const passes = (duration: Duration, over: AbortSignal): Promise<boolean> =>
  delay(duration, true, { signal: over, ref: false }).catch(() => false);
