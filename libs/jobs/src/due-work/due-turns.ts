import type { AgencyPermits, DocumentStore, Instant, StoredDueItem, Turn } from '#kernel';

/** The number of due items up to which all of them are read, and sorted into turns in memory. */
export const ITEMS_PER_READ = 100;
/** How many agencies one read of turns visits at most; the next one continues there. */
const MAX_VISITED = 500;
/** How many agencies with due items are enough for one poll. */
const MAX_FOUND = 32;

export interface DueKind {
  readonly collection: string;
  readonly kind: string;
  readonly permits: AgencyPermits;
}

/** Agencies take turns with their due items; those of one agency come in the order in which they became due (D89). */
export const dueInTurn = async (
  store: DocumentStore,
  of: DueKind,
  now: Instant,
  /** All due items of the kind, if they are known. */
  all?: readonly StoredDueItem[],
): Promise<Turn<StoredDueItem>[]> =>
  of.permits.takeInTurn(Map.groupBy(all ?? (await waitingItems(store, of, now)), ({ workspaceId }) => workspaceId));

const waitingItems = async (store: DocumentStore, of: DueKind, now: Instant): Promise<readonly StoredDueItem[]> => {
  // `gte: 0` excludes nulls. There are none, but without the bound a store may need a second search for them.
  const ready = { index: 'ready', equals: [of.kind], gte: 0, lte: now, limit: ITEMS_PER_READ };
  const oldest = await store.find<StoredDueItem>(of.collection, ready);
  // Otherwise the oldest may all be of an agency that has no turn.
  return oldest.length < ITEMS_PER_READ ? oldest : firstOfAgencies(store, of, now);
};

/** The first due items of each agency that has capacity, from the agency after the last one in turn. */
const firstOfAgencies = async (
  store: DocumentStore,
  { collection, kind, permits }: DueKind,
  now: Instant,
): Promise<StoredDueItem[]> => {
  const start = permits.lastTurn;
  const first: StoredDueItem[] = [];
  let [after, isPastEnd] = [start, start === ''];
  for (let visited = 0, found = 0; visited < MAX_VISITED && found < MAX_FOUND; visited++) {
    const ofNext = { index: 'turns', equals: [kind], gt: after, limit: 1 };
    const [next] = await store.find<StoredDueItem>(collection, ofNext);
    if (next === undefined && !isPastEnd) {
      [after, isPastEnd] = ['', true];
      continue;
    }
    if (next === undefined || (isPastEnd && start !== '' && next.workspaceId > start)) return first;
    after = next.workspaceId;
    const free = next.readyAt <= now ? permits.free(after) : 0;
    if (free === 0) continue;
    found++;
    if (free === 1) first.push(next);
    else {
      const due = { index: 'turns', equals: [kind, after], gte: 0, lte: now, limit: free };
      first.push(...(await store.find<StoredDueItem>(collection, due)));
    }
  }
  if (first.length === 0) permits.lastTurn = after;
  return first;
};
