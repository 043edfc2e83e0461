import { DomainError } from '#kernel';

/** No list of the platform has more pages. The limit ends a walk whose cursors never repeat. */
const MAX_PAGES = 10_000;
/** A walk counts as long after this many pages, which is 1,000 records. */
const LONG_AFTER = 10;

interface Page {
  readonly nextCursor: string | null;
}

/** False if `read` finds no list. A repeated cursor is `provider_invalid_response`, however long the cycle is (D80). */
export const walkPages = async <Cursor extends string, P extends Page & { readonly nextCursor: Cursor | null }>(
  read: (after: Cursor | undefined) => Promise<P | undefined>,
  use: (page: P) => Promise<void>,
  /** Runs the task that reads and uses one page; `isLong` once the list has proved to be long. */
  hold: <T>(task: () => Promise<T>, isLong: boolean) => Promise<T> = (task) => task(),
): Promise<boolean> => {
  const cursors = new Set<Cursor>();
  for (let after: Cursor | undefined; ; ) {
    const next = await hold(async () => {
      const page = await read(after);
      if (page === undefined) return undefined;
      await use(page);
      return page.nextCursor;
    }, cursors.size >= LONG_AFTER);
    if (next === undefined) return false;
    if (next === null) return true;
    if (cursors.has(next) || cursors.size === MAX_PAGES) {
      const cause = new Error(`the list does not end: its cursor repeats, or it has more than ${MAX_PAGES} pages`);
      throw new DomainError('provider_invalid_response', { cause });
    }
    cursors.add(next);
    after = next;
  }
};
