import type { Position } from './event.js';
import type { Instant } from './instant.js';

/** A JSON document, found by its id within a collection. Values of indexed fields are strings, numbers or null. */
export interface Document {
  readonly id: string;
}

export type IndexedValue = string | number | null;

/** Ordered by the fields, then by id. */
export interface IndexDefinition {
  readonly name: string;
  /** Top-level members of the document, the most significant first. */
  readonly fields: readonly string[];
  readonly unique?: boolean;
}

export interface CollectionDefinition {
  readonly name: string;
  readonly indexes: readonly IndexDefinition[];
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
  constructor(name: string) {
    super(`${name} has a newer runner`);
    this.name = 'Fenced';
  }
}

export interface Lease {
  readonly name: string;
  readonly holder: string;
  /** Grows each time that the lease changes hands. */
  readonly fence: number;
  readonly until: Instant;
}

/** Read models, checkpoints, leases and counters. All of it but leases and counters can be made again from the log. */
export interface DocumentStore {
  /** Makes collections and indexes that are missing; harmless when repeated and from several processes at once. */
  ensure(collections: readonly CollectionDefinition[]): Promise<void>;
  /** Removes a collection with all that is in it, also one that is not there. */
  drop(collection: string): Promise<void>;

  get<D extends Document>(collection: string, id: string): Promise<D | undefined>;
  getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]>;
  find<D extends Document>(collection: string, query: RangeQuery): Promise<D[]>;
  count(collection: string): Promise<number>;

  /**
   * Puts (insert or replace) and removes, then the checkpoint, which is never seen before the documents; where the
   * store can, all at once. Rejects with `Fenced` when the checkpoint's fence is older than the stored one.
   */
  write(writes: readonly CollectionWrite[], checkpoint?: Checkpoint): Promise<void>;
  /**
   * Replaces the document when it has these top-level values, or inserts it when `expected` is null and there is none.
   * Returns whether it did. Of several at once, one wins.
   */
  compareAndSet(
    collection: string,
    document: Document,
    expected: Readonly<Record<string, IndexedValue>> | null,
  ): Promise<boolean>;
  checkpoint(name: string): Promise<Checkpoint | undefined>;

  /** Takes a lease that is free or over, or renews the holder's own. Undefined where another holds it. */
  acquireLease(name: string, holder: string, now: Instant, until: Instant): Promise<Lease | undefined>;
  /** Gives it back, if it is still the holder's; the fence is kept. */
  releaseLease(name: string, holder: string): Promise<void>;
  leases(): Promise<Lease[]>;

  /** Adds to a counter (from 0) and returns its new value, exactly, whoever else counts. */
  increment(counter: string, by: number, expiresAt: Instant): Promise<number>;
  /** Removes the counters that expired before `now`, and returns how many they were. */
  sweepCounters(now: Instant): Promise<number>;

  close(): Promise<void>;
}
