import type { CreatorId, Instant } from '#kernel';

/** A creator's key as it is kept: wrapped under a key that the store does not have, or gone for good. */
export type KeptKey =
  | { readonly status: 'kept'; readonly wrapped: Buffer }
  | { readonly status: 'destroyed'; readonly at: Instant };

/**
 * The keys of what is personal, one for each creator, apart from the log and from the read models: what is destroyed
 * here cannot be made again from anything else. Rejects with `StoreUnavailable`.
 */
export interface PersonalKeyStore {
  /** Those of the creators that ever had one. */
  get(creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, KeptKey>>;
  /** Keeps keys durably, all in one, but for creators that have one or had one; returns those that stand. */
  add(keys: ReadonlyMap<CreatorId, Buffer>): Promise<ReadonlyMap<CreatorId, KeptKey>>;
  /**
   * Puts the same key, wrapped under another one, in the place of `from`; false where something else stands there. The
   * bytes of `from` may stay in the store's files.
   */
  replace(creatorId: CreatorId, from: Buffer, to: Buffer): Promise<boolean>;
  /** The one record that only the master key of this store opens; undefined in a store that is new, or older than it. */
  sentinel(): Promise<Buffer | undefined>;
  /** Keeps it durably where there is none, and returns the one that stands: of several processes one wins. */
  addSentinel(sentinel: Buffer): Promise<Buffer>;
  /** Puts another in the place of `from`; false where something else stands there. */
  replaceSentinel(from: Buffer, to: Buffer): Promise<boolean>;
  /** Overwrites the key, so that its bytes are nowhere in the store any more; harmless when repeated. */
  destroy(creatorId: CreatorId, at: Instant): Promise<void>;
  /** All of them, destroyed ones too, in the order of the creators' ids; for moving to another store. */
  all(): AsyncIterable<readonly [CreatorId, KeptKey]>;
  close(): Promise<void>;
}
