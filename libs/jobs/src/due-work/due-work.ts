import {
  type AgencyPermits,
  type CollectionDefinition,
  type DocumentStore,
  type DueItem,
  type Duration,
  dueItemId,
  type Instant,
  NEVER,
  type RangeQuery,
  SECOND,
  type StoredDueItem,
  type Turn,
  withLiveCollection,
} from '#kernel';
import { type DueKind, dueInTurn, ITEMS_PER_READ } from './due-turns.js';

/** The fields of claims and postponements, which workers change without an event. */
export const CLAIM_FIELDS = [
  'readyAt',
  'claimedBy',
  'claims',
  'failures',
  'tries',
  'plannedFor',
] as const satisfies readonly (keyof DueItem)[];

export const DUE_WORK_INDEXES: CollectionDefinition['indexes'] = [
  { name: 'ready', fields: ['kind', 'readyAt'] },
  { name: 'turns', fields: ['kind', 'workspaceId', 'readyAt'] },
  { name: 'next', fields: ['readyAt'] },
];

/** A claim that has stayed unchanged for this time is over, and another process may take the item. */
export const CLAIM_TTL: Duration = 6 * SECOND;
/**
 * The `readyAt` of a claimed item, later than any clock shows, so that no process takes a claimed item because of its
 * clock. Each renewal adds 1: others see by that change that the holder lives (D93).
 */
export const CLAIMED: Instant = 4_000_000_000_000_000;
const ITEMS_PER_PAGE = 1_000;
const HASTENED_AT_A_TIME = 200;

export type ItemTurn = Turn<StoredDueItem>;

export type Claim = StoredDueItem & { readonly claimedBy: string };

/** Claims and postpones due work. Every change is a compare-and-set on the claim that was read. */
export class DueWork {
  constructor(
    private readonly store: DocumentStore,
    private readonly collection: () => Promise<string>,
    private readonly holder: string,
  ) {}

  /** The caller releases the permits. Rejects if nothing could be claimed. */
  claimDue(kinds: ReadonlyMap<string, AgencyPermits>, now: Instant): Promise<ItemTurn[]> {
    return this.inLive(async (collection) => {
      const query = { index: 'next', gte: 0, lte: now, limit: ITEMS_PER_READ };
      const due = await this.store.find<StoredDueItem>(collection, query);
      const isAll = due.length < ITEMS_PER_READ;
      const claimed: ItemTurn[] = [];
      const outcomes = await Promise.allSettled(
        [...kinds].map(([kind, permits]) =>
          this.claimOfKind({ collection, kind, permits }, now, claimed, isAll ? due : undefined),
        ),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      // The claimed items are handled even if other claims failed.
      if (failed !== undefined && claimed.length === 0) throw failed.reason;
      return claimed;
    });
  }

  /** The claim's renewal of that number. False if an event has changed the item, or another process has claimed it. */
  async renew(item: StoredDueItem, renewal: number): Promise<boolean> {
    return this.inLive((collection) => this.replace(collection, item, { ...item, readyAt: CLAIMED + renewal }));
  }

  plan(item: StoredDueItem, next: Instant): Promise<void> {
    return this.postpone({ ...item, plannedFor: next }, next);
  }

  /** Releases the claim and makes the item ready at `until`. Does nothing if an event has changed the item. */
  async postpone(item: StoredDueItem, until: Instant, failures = 0, tries = 0): Promise<void> {
    const free = { ...item, readyAt: until, claimedBy: null, failures, tries };
    await this.inLive((collection) => this.replace(collection, item, free));
  }

  /** Makes a waiting item ready now, unless it is claimed or waits after a failure. */
  async expedite(kind: string, subject: string, now: Instant): Promise<void> {
    await this.inLive(async (collection) => {
      const item = await this.store.get<StoredDueItem>(collection, dueItemId(kind, subject));
      if (item === undefined || item.claimedBy !== null || item.failures > 0 || item.readyAt <= now) return;
      await this.replace(collection, item, { ...item, readyAt: now });
    });
  }

  /** Makes items of the kind that are ready later than `after` ready now, some at a time. Returns their ids. */
  async hasten(
    kind: string,
    after: Instant,
    now: Instant,
    except: { readonly size: number; has(id: string): boolean },
  ): Promise<string[]> {
    if (after >= CLAIMED) return [];
    const limit = HASTENED_AT_A_TIME + except.size;
    return this.inLive(async (collection) => {
      const query = { index: 'ready', equals: [kind], gt: after, lt: CLAIMED, limit };
      const found = await this.store.find<StoredDueItem>(collection, query);
      const ready = found.filter(({ id }) => !except.has(id));
      await Promise.all(ready.map((item) => this.replace(collection, item, { ...item, readyAt: now })));
      return ready.map(({ id }) => id);
    });
  }

  /** When the first unclaimed item that is ready later than `after` is ready; undefined if there is none. */
  async nextReady(after: Instant = -1): Promise<Instant | undefined> {
    const [next] = await this.find({ index: 'next', gt: after, lt: CLAIMED, limit: 1 });
    return next?.readyAt;
  }

  /** How many items of the kind are due and not claimed, counted up to `limit`. */
  async countReady(kind: string, now: Instant, limit: number): Promise<number> {
    return (await this.find({ index: 'ready', equals: [kind], lte: now, limit })).length;
  }

  releaseOwnClaims(now: Instant): Promise<number> {
    return this.releaseClaims(({ claimedBy }) => claimedBy === this.holder, now);
  }

  /** Releases the claims that are over; a late renewal by their holder fails. */
  releaseClaims(isOver: (claim: Claim) => boolean, now: Instant): Promise<number> {
    return this.inLive(async (collection) => {
      let freed = 0;
      for await (const item of this.claimedIn(collection)) {
        if (!isClaim(item) || !isOver(item)) continue;
        // Not later than it was due: the clock of this process may be ahead.
        const readyAt = Math.min(now, item.dueAt);
        const free = { ...item, readyAt, claimedBy: null, claims: item.claims + 1 };
        if (await this.replace(collection, item, free)) freed++;
      }
      return freed;
    });
  }

  private async *claimedIn(collection: string): AsyncGenerator<StoredDueItem> {
    const find = (range: Partial<RangeQuery>) =>
      this.store.find<StoredDueItem>(collection, { index: 'next', ...range, limit: ITEMS_PER_PAGE });
    for (let after = CLAIMED - 1; ; ) {
      const page = await find({ gt: after, lt: NEVER });
      yield* page;
      let last = page.at(-1);
      if (last === undefined || page.length < ITEMS_PER_PAGE) return;
      after = last.readyAt;
      // More items may have the same time as the last one of the page.
      while (last !== undefined) {
        const more = await find({ equals: [after], gt: last.id });
        yield* more;
        last = more.at(-1);
      }
    }
  }

  /** Adds to `claimed`, so that the claims before a failure are not lost. */
  private async claimOfKind(
    of: DueKind,
    now: Instant,
    claimed: ItemTurn[],
    due: readonly StoredDueItem[] | undefined,
  ): Promise<void> {
    for (let known = due?.filter((item) => item.kind === of.kind); ; known = undefined) {
      const turns = await dueInTurn(this.store, of, now, known);
      const outcomes = await Promise.allSettled(turns.map((turn) => this.tryClaim(of.collection, turn)));
      const claims = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : []));
      claimed.push(...claims);
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      // If another process was faster with one of them, more items may be due.
      if (claims.length === turns.length) return;
    }
  }

  private async tryClaim(collection: string, { task: item, permit }: ItemTurn): Promise<ItemTurn | undefined> {
    const claim = { ...item, readyAt: CLAIMED, claimedBy: this.holder, claims: item.claims + 1 };
    let isClaimed = false;
    try {
      isClaimed = await this.replace(collection, item, claim);
    } finally {
      if (!isClaimed) permit.release();
    }
    return isClaimed ? { task: claim, permit } : undefined;
  }

  private find(query: RangeQuery): Promise<StoredDueItem[]> {
    return this.inLive((collection) => this.store.find<StoredDueItem>(collection, query));
  }

  private inLive<T>(task: (collection: string) => Promise<T>): Promise<T> {
    return withLiveCollection(this.collection, task);
  }

  private replace(collection: string, expected: StoredDueItem, next: DueItem): Promise<boolean> {
    const { position, claims } = expected;
    return this.store.compareAndSet(collection, next, { position, claims });
  }
}

const isClaim = (item: StoredDueItem): item is Claim => item.claimedBy !== null;
