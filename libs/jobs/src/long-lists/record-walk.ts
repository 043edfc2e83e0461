import type { Clock, Duration, Instant, RecordPage, RefusedRecord } from '#kernel';
import type { Backpressure } from './backpressure.js';
import { walkPages } from './page-walk.js';

/** How a provider's records of one kind are read and recorded. */
export interface RecordSource<Id extends string, Page extends RecordPage> {
  /** Undefined where there is no such list. */
  read(after: string | undefined): Promise<Page | undefined>;
  /** Records what is new on the page. Resolves to the ids of all its records. */
  record(page: Page, askedAt: Instant): Promise<readonly Id[]>;
  idOf(nativeId: string): Id;
}

/** What a walk showed, refused records included; not complete where one had no usable id (D65). */
export interface SeenRecords<Id extends string> {
  readonly ids: ReadonlySet<Id>;
  readonly isComplete: boolean;
  /** Those that were left out. */
  readonly refused: readonly RefusedRecord[];
  /** How long the provider took for all pages together. */
  readonly readIn: Duration;
}

/** Undefined where there is no such list. An abort ends it before the next page, with the signal's reason. */
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
