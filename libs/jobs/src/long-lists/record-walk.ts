import { type Clock, DomainError, type Duration, type Instant, type RecordPage, type RefusedRecord } from '#kernel';
import type { Backpressure } from './backpressure.js';

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

/** How a provider's records of one kind are read and recorded. */
export interface RecordSource<Id extends string, Page extends RecordPage> {
  /** Undefined if there is no such list. */
  read(after: string | undefined): Promise<Page | undefined>;
  /** Records what is new on the page. Resolves to the ids of all its records. */
  record(page: Page, askedAt: Instant): Promise<readonly Id[]>;
  idOf(nativeId: string): Id;
}

/** The records of a walk, refused ones included; not complete if one had no usable id (D65). */
export interface SeenRecords<Id extends string> {
  readonly ids: ReadonlySet<Id>;
  readonly isComplete: boolean;
  readonly refused: readonly RefusedRecord[];
  /** How long the provider took for all pages together. */
  readonly readIn: Duration;
}

/** Undefined if there is no such list. An abort ends it before the next page, with the signal's reason. */
export const walkRecords = async <Id extends string, Page extends RecordPage>(
  agency: string,
  source: RecordSource<Id, Page>,
  pace: Backpressure,
  clock: Clock,
  signal?: AbortSignal,
): Promise<SeenRecords<Id> | undefined> => {
  const ids = new Set<Id>();
  const refused: RefusedRecord[] = [];
  let isComplete = true;
  let readIn = 0;
  let askedAt = clock.now();
  const isListed = await walkPages<string, Page>(
    async (after) => {
      signal?.throwIfAborted();
      askedAt = clock.now();
      const began = performance.now();
      const page = await source.read(after);
      readIn += performance.now() - began;
      return page;
    },
    async (page) => {
      for (const id of await source.record(page, askedAt)) ids.add(id);
      refused.push(...page.refused);
      for (const { id } of page.refused) {
        if (id === null) isComplete = false;
        else ids.add(source.idOf(id));
      }
    },
    (task, isLong) => pace.withPagePermit(agency, task, isLong),
  );
  return isListed ? { ids, isComplete, refused, readIn } : undefined;
};
