import type { CollectionDefinition, Document, DocumentStore } from './document-store.js';
import type { WorkspaceId } from './ids.js';
import type { Duration, Instant } from './instant.js';
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
): DueItem<Kind> => ({
  id: dueItemId(kind, subject),
  kind,
  subject,
  workspaceId,
  dueAt,
  readyAt: dueAt,
  claimedBy: null,
  claims: 0,
  failures: 0,
});

export const dueItemId = (kind: string, subject: string): string => `${kind}:${subject}`;

/** Claims and postponements are the workers' own. */
export const CLAIM_MEMBERS = [
  'readyAt',
  'claimedBy',
  'claims',
  'failures',
] as const satisfies readonly (keyof DueItem)[];

export const DUE_WORK_INDEXES: CollectionDefinition['indexes'] = [
  { name: 'ready', fields: ['kind', 'readyAt'] },
  { name: 'claimed', fields: ['claimedBy'] },
];

/** An item as its read model keeps it. */
export type StoredDueItem = Projected<DueItem>;

/** Claims and postpones due work; every change is a compare-and-set on the claim that was read. */
export class DueWork {
  constructor(
    private readonly store: DocumentStore,
    private readonly collection: () => Promise<string>,
    private readonly holder: string,
  ) {}

  /** Up to `limit` items of a kind that are due, the longest due first, claimed for `ttl`. */
  async claim(kind: string, now: Instant, limit: number, ttl: Duration): Promise<StoredDueItem[]> {
    const collection = await this.collection();
    // The lower bound leaves out nulls, of which there are none: without it a store may have to look for them apart.
    const ready = { index: 'ready', equals: [kind], gte: 0, lte: now, limit };
    const due = await this.store.find<StoredDueItem>(collection, ready);
    const claimed = await Promise.all(
      due.map(async (item) => {
        const claim = { ...item, readyAt: now + ttl, claimedBy: this.holder, claims: item.claims + 1 };
        return (await this.replace(collection, item, claim)) ? claim : undefined;
      }),
    );
    return claimed.filter((item) => item !== undefined);
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

  /** When the next item of the kind will be ready, or undefined where there is none. */
  async nextReady(kind: string): Promise<Instant | undefined> {
    const query = { index: 'ready', equals: [kind], limit: 1 };
    const [next] = await this.store.find<StoredDueItem>(await this.collection(), query);
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

  /** Makes what holders had claimed ready again: they are no more. */
  async freeClaimsOf(isGone: (holder: string) => boolean, now: Instant): Promise<number> {
    const collection = await this.collection();
    let freed = 0;
    for (let after = ''; ; ) {
      const [claimed] = await this.store.find<StoredDueItem>(collection, { index: 'claimed', gt: after, limit: 1 });
      if (claimed?.claimedBy == null) return freed;
      after = claimed.claimedBy;
      if (!isGone(after)) continue;
      const items = await this.store.find<StoredDueItem>(collection, {
        index: 'claimed',
        equals: [after],
        limit: 10_000,
      });
      for (const item of items) {
        if (await this.replace(collection, item, { ...item, readyAt: now, claimedBy: null })) freed++;
      }
    }
  }

  private replace(collection: string, expected: StoredDueItem, next: DueItem): Promise<boolean> {
    const { position, claims } = expected;
    return this.store.compareAndSet(collection, next, { position, claims });
  }
}
