import { setTimeout as delay } from 'node:timers/promises';

/** Shortest time between two polls; at least as long as the last poll took. */
const POLL_INTERVAL = 50;

/** Waits until `list` is empty; after the timeout the error lists what is still open. */
export const untilNothingOpen = async (list: () => Promise<readonly string[]>, timeout: number): Promise<void> => {
  const deadline = performance.now() + timeout;
  for (;;) {
    const began = performance.now();
    const open = await list();
    if (open.length === 0) return;
    if (performance.now() > deadline) {
      const [shown, rest] = [open.slice(0, 20), open.length - 20];
      throw new Error(`still open after ${timeout} ms:\n${shown.join('\n')}${rest > 0 ? `\n… and ${rest} more` : ''}`);
    }
    await delay(Math.max(POLL_INTERVAL, performance.now() - began));
  }
};

/** Waits until the condition holds. */
export const until = (what: string, holds: () => Promise<boolean>, timeout = 20_000): Promise<void> =>
  untilNothingOpen(async () => ((await holds()) ? [] : [what]), timeout);
