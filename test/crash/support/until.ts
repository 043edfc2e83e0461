import { setTimeout as delay } from 'node:timers/promises';

/** A look that takes long is not to be all that happens. */
const LOOK = 50;

/** Waits until nothing is open any more; on giving up tells what still was. */
export const untilNothingOpen = async (look: () => Promise<readonly string[]>, patience: number): Promise<void> => {
  const deadline = performance.now() + patience;
  for (;;) {
    const began = performance.now();
    const open = await look();
    if (open.length === 0) return;
    if (performance.now() > deadline) {
      const [shown, rest] = [open.slice(0, 20), open.length - 20];
      throw new Error(`still open after ${patience} ms:\n${shown.join('\n')}${rest > 0 ? `\n… and ${rest} more` : ''}`);
    }
    await delay(Math.max(LOOK, performance.now() - began));
  }
};

/** Waits until the condition holds. */
export const until = (what: string, holds: () => Promise<boolean>, patience = 20_000): Promise<void> =>
  untilNothingOpen(async () => ((await holds()) ? [] : [what]), patience);
