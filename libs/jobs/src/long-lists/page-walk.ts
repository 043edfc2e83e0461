import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, type Duration } from '#kernel';

/** No list of the platform has more pages. The limit ends a walk whose cursors never repeat. */
const MAX_PAGES = 10_000;
const MAX_REST: Duration = 250;

interface Page {
  readonly nextCursor: string | null;
}

/**
 * Reads a provider's list page by page to its end, and passes each page to `use`. Between two pages it rests as long as the
 * last one took, so that half of the time is everybody else's: a list of 20,000 records takes seconds of CPU. Returns false if `read` finds no list.
 * A repeated cursor is `provider_invalid_response`, however long the cycle is (D80).
 */
export const walkPages = async <Cursor extends string, P extends Page & { readonly nextCursor: Cursor | null }>(
  read: (after: Cursor | undefined) => Promise<P | undefined>,
  use: (page: P) => Promise<void>,
  /** Runs the task that reads and uses one page. */
  hold: <T>(task: () => Promise<T>) => Promise<T> = (task) => task(),
): Promise<boolean> => {
  const cursors = new Set<Cursor>();
  for (let after: Cursor | undefined; ; ) {
    const began = performance.now();
    const next = await hold(async () => {
      const page = await read(after);
      if (page === undefined) return undefined;
      await use(page);
      return page.nextCursor;
    });
    if (next === undefined) return false;
    if (next === null) return true;
    if (cursors.has(next) || cursors.size === MAX_PAGES) {
      const cause = new Error(`the list does not end: its cursor repeats, or it has more than ${MAX_PAGES} pages`);
      throw new DomainError('provider_invalid_response', { cause });
    }
    cursors.add(next);
    after = next;
    await rest(performance.now() - began);
  }
};

const rest = async (duration: Duration): Promise<void> => {
  // A timer takes a millisecond at least.
  if (duration >= 1) await delay(Math.min(duration, MAX_REST), undefined, { ref: false });
};
