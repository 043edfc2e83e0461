import type { CreatorId, Instant } from '#kernel';

/** A creator's key as it is kept: wrapped under a key that the store does not have, or gone for good. */
export type KeptKey =
  | { readonly status: 'kept'; readonly wrapped: Buffer }
  | { readonly status: 'destroyed'; readonly at: Instant };

/**
 * The keys of what is personal, one for each creator, apart from the log and from the read models: what is destroyed
 * here can not be made again from anything else. Rejects with `StoreUnavailable`.
 */
export interface PersonalKeyStore {
  /** Those of the creators that ever had one. */
  get(creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, KeptKey>>;
  /** Keeps keys durably, all in one, but for creators that have one or had one; returns those that stand. */
  add(keys: ReadonlyMap<CreatorId, Buffer>): Promise<ReadonlyMap<CreatorId, KeptKey>>;
  /** Overwrites the key, so that its bytes are nowhere in the store any more; harmless when repeated. */
  destroy(creatorId: CreatorId, at: Instant): Promise<void>;
  /** All of them, destroyed ones too, in the order of the creators' ids; for moving to another store. */
  all(): AsyncIterable<readonly [CreatorId, KeptKey]>;
  close(): Promise<void>;
}
