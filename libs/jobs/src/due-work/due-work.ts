import {
  type AgencyPermits,
  type CollectionDefinition,
  type DocumentStore,
  type DueItem,
  type Duration,
  dueItemId,
  type Instant,
  type RangeQuery,
  SECOND,
  type StoredDueItem,
  withLiveCollection,
} from '#kernel';
import { type DueKind, DueTurns, ITEMS_PER_READ, type Turn } from './due-turns.js';

/** The fields of claims and postponements, which workers change without an event. */
export const CLAIM_FIELDS = [
  'readyAt',
  'claimedBy',
  'claims',
  'failures',
  'tries',
] as const satisfies readonly (keyof DueItem)[];

export const DUE_WORK_INDEXES: CollectionDefinition['indexes'] = [
  { name: 'ready', fields: ['kind', 'readyAt'] },
  { name: 'turns', fields: ['kind', 'workspaceId', 'readyAt'] },
  { name: 'next', fields: ['readyAt'] },
];

/** A claim that is not renewed expires after this time, and another process may take the item. */
export const CLAIM_TTL: Duration = 6 * SECOND;
const ITEMS_PER_PAGE = 1_000;

/** Claims and postpones due work. Every change is a compare-and-set on the claim that was read. */
export class DueWork {
  private readonly turns: DueTurns;

  constructor(
    private readonly store: DocumentStore,
    private readonly collection: () => Promise<string>,
    private readonly holder: string,
  ) {
    this.turns = new DueTurns(store);
  }

  /**
   * Claims the due items of each kind whose turn it is. The caller releases their permits. Kinds are read one by one only
   * if one read does not show all due items, or other processes were faster. Rejects if nothing could be claimed.
   */
  claimDue(kinds: ReadonlyMap<string, AgencyPermits>, now: Instant): Promise<Turn[]> {
    return this.inLive((collection) => this.claimIn(collection, kinds, now));
  }

  private async claimIn(collection: string, kinds: ReadonlyMap<string, AgencyPermits>, now: Instant): Promise<Turn[]> {
    const query = { index: 'next', gte: 0, lte: now, limit: ITEMS_PER_READ };
    const due = await this.store.find<StoredDueItem>(collection, query);
    const isAll = due.length < ITEMS_PER_READ;
    const claimed: Turn[] = [];
    const outcomes = await Promise.allSettled(
      [...kinds].map(([kind, permits]) =>
        this.claimOfKind({ collection, kind, permits }, now, claimed, isAll ? due : undefined),
      ),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    // The claimed items are handled even if other claims failed.
    if (failed !== undefined && claimed.length === 0) throw failed.reason;
    return claimed;
  }

  /** Extends the claim. False if an event has changed the item, or another process has claimed it. */
  async renew(item: StoredDueItem, until: Instant): Promise<boolean> {
    return this.inLive((collection) => this.replace(collection, item, { ...item, readyAt: until }));
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

  /** When the first item that is ready later than `after` is ready; undefined if there is none. */
  async nextReady(after: Instant = -1): Promise<Instant | undefined> {
    const [next] = await this.find({ index: 'next', gt: after, limit: 1 });
    return next?.readyAt;
  }

  /** How many items of the kind are due and not claimed, counted up to `limit`. */
  async countReady(kind: string, now: Instant, limit: number): Promise<number> {
    return (await this.find({ index: 'ready', equals: [kind], lte: now, limit })).length;
  }

  /** Releases the claims of this process. */
  releaseOwnClaims(now: Instant): Promise<number> {
    return this.releaseClaimsOf((holder) => holder === this.holder, now);
  }

  /**
   * Releases the claims of processes that have died or are stopping; a late renewal of theirs fails. Expired claims need
   * no release.
   */
  releaseClaimsOf(isGone: (holder: string) => boolean, now: Instant): Promise<number> {
    return this.inLive((collection) => this.releaseIn(collection, isGone, now));
  }

  private async releaseIn(collection: string, isGone: (holder: string) => boolean, now: Instant): Promise<number> {
    let freed = 0;
    // Cached, because the check whether a process is alive reads a file.
    const verdicts = new Map<string, boolean>();
    // A claim that is renewed during this read expires a little later.
    for await (const item of this.becomingReady(collection, now, now + 2 * CLAIM_TTL)) {
      if (item.claimedBy === null) continue;
      const verdict = verdicts.get(item.claimedBy) ?? isGone(item.claimedBy);
      verdicts.set(item.claimedBy, verdict);
      if (!verdict) continue;
      const free = { ...item, readyAt: now, claimedBy: null, claims: item.claims + 1 };
      if (await this.replace(collection, item, free)) freed++;
    }
    return freed;
  }

  /** The items that become ready after `after`, up to `until`. */
  private async *becomingReady(collection: string, after: Instant, until: Instant): AsyncGenerator<StoredDueItem> {
    for (let gt = after; ; ) {
      const page = await this.store.find<StoredDueItem>(collection, {
        index: 'next',
        gt,
        lte: until,
        limit: ITEMS_PER_PAGE,
      });
      yield* page;
      let last = page.at(-1);
      if (last === undefined || page.length < ITEMS_PER_PAGE) return;
      gt = last.readyAt;
      // More items may have the same time as the last one of the page.
      while (last !== undefined) {
        const query = { index: 'next', equals: [gt], gt: last.id, limit: ITEMS_PER_PAGE };
        const more: StoredDueItem[] = await this.store.find<StoredDueItem>(collection, query);
        yield* more;
        last = more.at(-1);
      }
    }
  }

  /** Adds to `claimed`, so that the claims before a failure are not lost. */
  private async claimOfKind(
    of: DueKind,
    now: Instant,
    claimed: Turn[],
    due: readonly StoredDueItem[] | undefined,
  ): Promise<void> {
    for (let known = due?.filter((item) => item.kind === of.kind); ; known = undefined) {
      const turns = await this.turns.take(of, now, known);
      const outcomes = await Promise.allSettled(turns.map((turn) => this.tryClaim(of.collection, turn, now)));
      const claims = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : []));
      claimed.push(...claims);
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      // If another process was faster with one of them, more items may be due.
      if (claims.length === turns.length) return;
    }
  }

  private async tryClaim(collection: string, { item, permit }: Turn, now: Instant): Promise<Turn | undefined> {
    const claim = { ...item, readyAt: now + CLAIM_TTL, claimedBy: this.holder, claims: item.claims + 1 };
    let isClaimed = false;
    try {
      isClaimed = await this.replace(collection, item, claim);
    } finally {
      if (!isClaimed) permit.release();
    }
    return isClaimed ? { item: claim, permit } : undefined;
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
