import type { Position } from './event.js';
import { StoreUnavailable } from './event-log.js';
import type { Instant } from './instant.js';

/**
 * A JSON document, found by its id within a collection. The values of an indexed field are all strings or all finite
 * numbers, beside null; a missing one counts as null.
 */
export interface Document {
  readonly id: string;
}

export type IndexedValue = string | number | null;

/** Ordered by the fields, then by id; strings by code point. */
export interface IndexDefinition {
  readonly name: string;
  /** Top-level members of the document, the most significant first; none for an index of the ids alone. */
  readonly fields: readonly string[];
  /** No two documents have the same values in all of the fields; those with a null among them are exempt. */
  readonly unique?: boolean;
}

/** Names of collections, indexes and fields are of ASCII letters, digits and underscores, and begin with a letter. */
export interface CollectionDefinition {
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
  /**
   * Indexes by which nobody reads before they are asked for among `indexes`. A store may make those of a new collection
   * only then, which takes less than keeping them up while many documents are put; to a collection that is there they
   * mean nothing.
   */
  readonly later?: readonly IndexDefinition[];
}

/**
 * A read along one index: its leading fields equal `equals`, and the field after them (or the id, where `equals`
 * names all fields) lies in the range. Missing bounds are open; nulls sort first and are within an open lower bound.
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

/** Removes come before puts, so that a unique value can pass from one document to another. */
export interface CollectionWrite {
  readonly collection: string;
  readonly put?: readonly Document[];
  readonly remove?: readonly string[];
}

/** How far a runner has come; `fence` grows with each new runner, and an older one can write no more. */
export interface Checkpoint {
  readonly name: string;
  readonly position: Position;
  readonly fence: number;
}

/** A newer runner has taken over: nothing of the batch that was refused may be relied on. */
export class Fenced extends Error {
  constructor(readonly runner: string) {
    super(`${runner} has a newer runner`);
    this.name = 'Fenced';
  }
}

/** Another document has the same values in a unique index; nothing of this document was stored. */
export class DuplicateKey extends Error {
  constructor(
    readonly collection: string,
    options?: ErrorOptions,
  ) {
    super(`a unique index of ${collection} has these values already`, options);
    this.name = 'DuplicateKey';
  }
}

/** The collection was never made, or has been dropped: a reader should look again which one is live. */
export class UnknownCollection extends StoreUnavailable {
  constructor(
    readonly collection: string,
    options?: ErrorOptions,
  ) {
    super(`there is no collection ${collection}`, options);
    this.name = 'UnknownCollection';
  }
}

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows each time that the lease changes hands. */
  readonly fence: number;
  readonly until: Instant;
}

/**
 * Read models, checkpoints, leases and counters. All of it but leases and counters can be made again from the log.
 * Anything here rejects with `StoreUnavailable` where the store can not be reached; reading or writing a collection
 * that is not there, with `UnknownCollection`. What is returned is the caller's own copy.
 */
export interface DocumentStore {
  /**
   * Makes collections and indexes that are missing, filled from the documents that are there; harmless when repeated
   * and from several processes at once. An index keeps its definition: another one needs another name.
   */
  ensure(collections: readonly CollectionDefinition[]): Promise<void>;
  /** Removes a collection with all that is in it, also one that is not there. */
  drop(collection: string): Promise<void>;

  get<D extends Document>(collection: string, id: string): Promise<D | undefined>;
  /** In any order; ids of which there is none are left out. */
  getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]>;
  find<D extends Document>(collection: string, query: RangeQuery): Promise<D[]>;
  /** The same, of each document only its id and the fields of the index, null where it has none: the index knows them. */
  findEntries<E extends Document>(collection: string, query: RangeQuery): Promise<E[]>;
  count(collection: string): Promise<number>;

  /**
   * Puts (insert or replace) and removes, then the checkpoint, which is never seen before the documents; where the
   * store can, all at once. Where it can not, documents of a write with a checkpoint that have a `position` replace only
   * older ones, and a removal counts as of the checkpoint's position, so that an older runner's write which comes late
   * changes nothing. Rejects with `Fenced` when the checkpoint's fence is older than the stored one, and with
   * `DuplicateKey`.
   */
  write(writes: readonly CollectionWrite[], checkpoint?: Checkpoint): Promise<void>;
  /**
   * Replaces the document when it has these top-level values, or inserts it when `expected` is null and there is none.
   * Returns whether it did. Of several at once, one wins. Rejects with `DuplicateKey`.
   */
  compareAndSet(
    collection: string,
    document: Document,
    expected: Readonly<Record<string, IndexedValue>> | null,
  ): Promise<boolean>;
  checkpoint(name: string): Promise<Checkpoint | undefined>;

  /** Takes a lease that is free or over (`until` ≤ `now`), or renews the holder's own. Undefined where another holds it. */
  acquireLease(name: string, holder: string, now: Instant, until: Instant): Promise<Lease | undefined>;
  /** Gives it back, if it is still the holder's; the fence is kept. */
  releaseLease(name: string, holder: string): Promise<void>;
  /** The lease that was taken and not given back, also one that is over. */
  lease(name: string): Promise<Lease | undefined>;

  /**
   * Adds to a counter (from 0) and returns its new value, exactly, whoever else counts. It expires at the latest of the
   * times that it was given.
   */
  increment(counter: string, by: number, expiresAt: Instant): Promise<number>;
  /** Removes the counters that expired before `now`, and returns how many they were. */
  sweepCounters(now: Instant): Promise<number>;

  close(): Promise<void>;
}
