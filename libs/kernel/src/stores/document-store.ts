import type { EventInLog, Position } from '../events/event.js';
import type { Instant } from '../instant.js';
import { StoreUnavailable } from './event-log.js';

/** JSON. The values of an indexed field are either strings or finite numbers, or null; a missing one counts as null. */
export interface Document {
  readonly id: string;
}

export type IndexedValue = string | number | null;

/** The order is that of the fields, then of the ids; strings are ordered by code point. */
export interface IndexDefinition {
  readonly name: string;
  /** Top-level fields of the document, the most significant first; empty for an index of the ids. */
  readonly fields: readonly string[];
}

/** Names of collections, indexes and fields consist of ASCII letters, digits and underscores, and start with a letter. */
export interface CollectionDefinition {
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
  /** Indexes of a new collection that a store may create when a later call names them in `indexes`, which costs less. */
  readonly later?: readonly IndexDefinition[];
}

/**
 * A read along one index: its leading fields equal `equals`, and the next field, or the id if `equals` names all fields,
 * is in the range. A missing bound is open. Nulls sort first, and an open lower bound includes them.
 */
export interface RangeQuery {
  readonly index: string;
  readonly equals?: readonly IndexedValue[];
  readonly gt?: string | number;
  readonly gte?: string | number;
  readonly lt?: string | number;
  readonly lte?: string | number;
  readonly order?: 'ascending' | 'descending';
  readonly limit: number;
}

export interface Removal {
  readonly id: string;
  readonly position: Position;
}

export const idOfRemoval = (removal: string | Removal): string => (typeof removal === 'string' ? removal : removal.id);

/** Documents are removed before others are put. */
export interface CollectionWrite {
  readonly collection: string;
  readonly put?: readonly Document[];
  readonly remove?: readonly (string | Removal)[];
}

/** The position of a runner. `fence` grows with each new runner, and writes of former runners are refused. */
export interface Checkpoint {
  readonly name: string;
  readonly position: Position;
  readonly fence: number;
  /** The last event up to the position, which shows whether the checkpoint belongs to this log (D92). */
  readonly event?: CheckpointEvent | undefined;
}

export interface CheckpointEvent extends EventInLog {
  /** The read models that have followed the log to here (D112). An older build replaces the event, and so this list. */
  readonly readModels?: Readonly<Record<string, number>> | undefined;
  /** Consumers of the lane that an older build had brought further than this: they skip events up to there. */
  readonly floors?: Readonly<Record<string, Position>> | undefined;
}

/** A newer runner has taken over. Parts of the refused write may have been stored. */
export class Fenced extends Error {
  constructor(readonly runner: string) {
    super(`${runner} has a newer runner`);
    this.name = 'Fenced';
  }
}

/** The collection was never created, or was dropped. A reader of a read model should read again which one is live. */
export class UnknownCollection extends StoreUnavailable {
  constructor(
    readonly collection: string,
    options?: ErrorOptions,
  ) {
    super(`there is no collection ${collection}`, options);
    this.name = 'UnknownCollection';
  }
}

export const WORKER_LEASE = 'worker';

export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly fence: number;
  readonly until: Instant;
}

/**
 * Read models, checkpoints, leases and counters. All but leases and counters can be built again from the log. Each
 * method rejects with `StoreUnavailable` if the store cannot be reached, and with `UnknownCollection` for a collection
 * that does not exist. Callers get copies of the documents.
 */
export abstract class DocumentStore {
  /**
   * Creates missing collections, and missing indexes from the existing documents. Calls may be repeated, also
   * concurrently by several processes. The definition of an index never changes: another one needs another name.
   */
  abstract ensure(collections: readonly CollectionDefinition[]): Promise<void>;
  abstract drop(collection: string): Promise<void>;
  abstract collections(): Promise<string[]>;
  /**
   * Overwrites what was replaced, removed or dropped in the store's files, if the store can do that (D72). Writers may
   * have to wait. Rejects if readers block it for too long; then the caller repeats it.
   */
  abstract purge(): Promise<void>;

  abstract get<D extends Document>(collection: string, id: string): Promise<D | undefined>;
  /** In any order; unknown ids are left out. */
  abstract getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]>;
  abstract find<D extends Document>(collection: string, query: RangeQuery): Promise<D[]>;
  /** The same, but only the id and the indexed fields of each document, null if missing. The index alone answers it. */
  abstract findEntries<E extends Document>(collection: string, query: RangeQuery): Promise<E[]>;
  abstract count(collection: string): Promise<number>;

  /**
   * Removes and puts (inserts or replaces) documents, then stores the checkpoint, in one transaction if the store has
   * them. A store without transactions never shows the checkpoint before the documents; with a checkpoint, a document
   * that has a `position` replaces only older ones, and a removal counts as of its event's position, or else the
   * checkpoint's, so that a late write of a former runner changes nothing. Rejects with `Fenced` if a newer fence is
   * stored. Without a checkpoint, `position` has the same effect, and is not stored.
   */
  abstract write(writes: readonly CollectionWrite[], checkpoint?: Checkpoint, position?: Position): Promise<void>;
  /**
   * Replaces the document if it has these top-level values, or inserts it if `expected` is null and it does not exist.
   * Returns whether it did. One of several concurrent calls wins. Rejects with `Fenced` if it
   * bears the fence of a former leader. A store without transactions may know a newer leader only by what that has written.
   */
  abstract compareAndSet(
    collection: string,
    document: Document,
    expected: Readonly<Record<string, IndexedValue>> | null,
    fence?: number,
  ): Promise<boolean>;
  abstract checkpoint(name: string): Promise<Checkpoint | undefined>;

  /** Takes a lease that is free or expired (`until` ≤ `now`), or renews the holder's. Undefined if another holds it. */
  abstract acquireLease(name: string, holder: string, now: Instant, until: Instant): Promise<Lease | undefined>;
  /** Releases the lease if the holder still has it. The fence is kept. */
  abstract releaseLease(name: string, holder: string): Promise<void>;
  /** Also an expired one. */
  abstract lease(name: string): Promise<Lease | undefined>;

  /**
   * Adds to a counter, which starts at 0, and returns its new value. Concurrent calls are exact. The counter expires at
   * the latest of the given times.
   */
  abstract increment(counter: string, by: number, expiresAt: Instant): Promise<number>;
  abstract sweepCounters(now: Instant): Promise<number>;

  abstract close(): Promise<void>;
}

/** The same store for long-running work: it waits longer for answers than a request may. */
export abstract class BackgroundDocumentStore extends DocumentStore {}
