import type { Cause } from './command-context.js';
import type { CollectionDefinition, Document, DocumentStore } from './document-store.js';
import { streamName } from './event.js';
import type { WorkspaceId } from './ids.js';
import { type Duration, type Instant, SECOND } from './instant.js';
import type { Projected } from './projection.js';

/**
 * Something that waits to be done: what and when follow from the log; who does it now, and until when it was put off,
 * does not, and is forgotten when an event moves the item on.
 */
export interface DueItem<Kind extends string = string> extends Document {
  readonly kind: Kind;
  /** The id of what it is about. */
  readonly subject: string;
  readonly workspaceId: WorkspaceId;
  readonly dueAt: Instant;
  /** The event that made it due. */
  readonly cause: Cause;
  /** `dueAt`, or the end of a claim or postponement. */
  readonly readyAt: Instant;
  readonly claimedBy: string | null;
  /** Counts claims, so that a claim that was overtaken can change nothing. */
  readonly claims: number;
  /** How often in a row it was put off because it failed. */
  readonly failures: number;
}

export const dueItem = <Kind extends string>(
  kind: Kind,
  subject: string,
  workspaceId: WorkspaceId,
  dueAt: Instant,
  cause: Cause,
  id: string = dueItemId(kind, subject),
): DueItem<Kind> => ({
  id,
  kind,
  subject,
  workspaceId,
  dueAt,
  cause,
  readyAt: dueAt,
  claimedBy: null,
  claims: 0,
  failures: 0,
});

/** As streams are named, so that an item that is about a stream of its own kind has that stream's name. */
export const dueItemId = (kind: string, subject: string): string => streamName(kind, subject);

/** Claims and postponements are the workers' own. */
export const CLAIM_MEMBERS = [
  'readyAt',
  'claimedBy',
  'claims',
  'failures',
] as const satisfies readonly (keyof DueItem)[];

export const DUE_WORK_INDEXES: CollectionDefinition['indexes'] = [
  { name: 'ready', fields: ['kind', 'readyAt'] },
  { name: 'next', fields: ['readyAt'] },
];

/** How long a claim stands by itself: others take over from a process that is gone, or stands still. */
export const CLAIM: Duration = 6 * SECOND;
const PAGE = 1_000;
const ONE_LOOK = 100;

/** An item as its read model keeps it. */
export type StoredDueItem = Projected<DueItem>;

/** Claims and postpones due work; every change is a compare-and-set on the claim that was read. */
export class DueWork {
  constructor(
    private readonly store: DocumentStore,
    private readonly collection: () => Promise<string>,
    private readonly holder: string,
  ) {}

  /**
   * What is due of several kinds, up to so many items of each, the longest due first, claimed for a while. Kinds are asked
   * for one by one only where one look does not show all that is due, or others were quicker. Rejects where nothing could
   * be claimed.
   */
  async claimDue(room: ReadonlyMap<string, number>, now: Instant): Promise<StoredDueItem[]> {
    const collection = await this.collection();
    const query = { index: 'next', gte: 0, lte: now, limit: ONE_LOOK };
    const due = await this.store.find<StoredDueItem>(collection, query);
    const isAll = due.length < ONE_LOOK;
    const claims = await Promise.allSettled(
      [...room].map(async ([kind, limit]) => {
        const ofKind = isAll ? due.filter((item) => item.kind === kind).slice(0, limit) : [];
        const ours = await Promise.all(ofKind.map((item) => this.claimed(collection, item, now)));
        const taken = ours.filter((item) => item !== undefined);
        if (isAll && taken.length === ofKind.length) return taken;
        return [...taken, ...(await this.claimOfKind(collection, kind, now, limit - taken.length))];
      }),
    );
    const claimed = claims.flatMap((claim) => (claim.status === 'fulfilled' ? claim.value : []));
    const failed = claims.find((claim) => claim.status === 'rejected');
    // What has been claimed is to be done, whatever became of the rest.
    if (failed !== undefined && claimed.length === 0) throw failed.reason;
    return claimed;
  }

  /** Keeps the item claimed until then; false where an event has moved it on, or another has claimed it. */
  async keep(item: StoredDueItem, until: Instant): Promise<boolean> {
    return this.replace(await this.collection(), item, { ...item, readyAt: until });
  }

  /** Gives the item back until then. Nothing happens when an event has moved it on meanwhile. */
  async postpone(item: StoredDueItem, until: Instant, failures = 0): Promise<void> {
    const free = { ...item, readyAt: until, claimedBy: null, failures };
    await this.replace(await this.collection(), item, free);
  }

  /** When the next item of any kind is ready, or was, but after that moment; undefined where there is none. */
  async nextReady(after: Instant = -1): Promise<Instant | undefined> {
    const [next] = await this.store.find<StoredDueItem>(await this.collection(), {
      index: 'next',
      gt: after,
      limit: 1,
    });
    return next?.readyAt;
  }

  /** How many items of the kind are due and not claimed; `most` for that many and more. */
  async countReady(kind: string, now: Instant, most: number): Promise<number> {
    const query = { index: 'ready', equals: [kind], lte: now, limit: most };
    return (await this.store.find<StoredDueItem>(await this.collection(), query)).length;
  }

  /** Makes what this holder has claimed ready for others. */
  giveBackClaims(now: Instant): Promise<number> {
    return this.freeClaimsOf((holder) => holder === this.holder, now);
  }

  /**
   * Makes what holders had claimed ready again: they are no more, or end, and what they still renew is theirs no longer.
   * Claims that are over are ready by themselves.
   */
  async freeClaimsOf(isGone: (holder: string) => boolean, now: Instant): Promise<number> {
    const collection = await this.collection();
    let freed = 0;
    // To ask whether a process is there reads a file.
    const verdicts = new Map<string, boolean>();
    // A claim that is renewed while this looks ends a little later.
    for await (const item of this.within(collection, now, now + 2 * CLAIM)) {
      if (item.claimedBy === null) continue;
      const verdict = verdicts.get(item.claimedBy) ?? isGone(item.claimedBy);
      verdicts.set(item.claimedBy, verdict);
      if (!verdict) continue;
      const free = { ...item, readyAt: now, claimedBy: null, claims: item.claims + 1 };
      if (await this.replace(collection, item, free)) freed++;
    }
    return freed;
  }

  /** What becomes ready after `after`, up to `until`. */
  private async *within(collection: string, after: Instant, until: Instant): AsyncGenerator<StoredDueItem> {
    for (let gt = after; ; ) {
      const page = await this.store.find<StoredDueItem>(collection, { index: 'next', gt, lte: until, limit: PAGE });
      yield* page;
      let last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      gt = last.readyAt;
      // The page may have ended among those of one moment.
      while (last !== undefined) {
        const query = { index: 'next', equals: [gt], gt: last.id, limit: PAGE };
        const more: StoredDueItem[] = await this.store.find<StoredDueItem>(collection, query);
        yield* more;
        last = more.at(-1);
      }
    }
  }

  /** Up to `limit` items of a kind that are due, the longest due first, claimed for a while. */
  private async claimOfKind(collection: string, kind: string, now: Instant, limit: number): Promise<StoredDueItem[]> {
    const claimed: StoredDueItem[] = [];
    for (;;) {
      const room = limit - claimed.length;
      // The lower bound leaves out nulls, of which there are none: without it a store may have to look for them apart.
      const ready = { index: 'ready', equals: [kind], gte: 0, lte: now, limit: room };
      const due = await this.store.find<StoredDueItem>(collection, ready);
      const ours = await Promise.all(due.map((item) => this.claimed(collection, item, now)));
      claimed.push(...ours.filter((item) => item !== undefined));
      // Where others were quicker, there may be more behind what they took, or it is due still.
      if (!ours.includes(undefined)) return claimed;
    }
  }

  private async claimed(collection: string, item: StoredDueItem, now: Instant): Promise<StoredDueItem | undefined> {
    const claim = { ...item, readyAt: now + CLAIM, claimedBy: this.holder, claims: item.claims + 1 };
    return (await this.replace(collection, item, claim)) ? claim : undefined;
  }

  private replace(collection: string, expected: StoredDueItem, next: DueItem): Promise<boolean> {
    const { position, claims } = expected;
    return this.store.compareAndSet(collection, next, { position, claims });
  }
}
