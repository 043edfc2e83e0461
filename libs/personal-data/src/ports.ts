import type { CreatorId, Instant } from '#kernel';

/** Keys of 32 bytes for one purpose, one for each master key of the process. */
export interface WrappingKeys {
  /** The key that encrypts. It changes while the process runs, when a rotation of the master key begins (D85). */
  readonly current: Buffer;
  /** All keys that decrypt: that of `MASTER_KEY` first, then that of `MASTER_KEY_PREVIOUS`. */
  readonly all: readonly Buffer[];
}

export type KeptKey =
  | { readonly status: 'kept'; readonly wrapped: Buffer }
  | { readonly status: 'destroyed'; readonly at: Instant };

/** The log's last seal, as the key store remembers it (D91). */
export interface LastSeal {
  /** The event id of the seal, how many events it covers, and the root of the tree of their hashes. */
  readonly id: string;
  readonly count: number;
  readonly root: string;
  /** Signs the three with the key of the seals: only this installation can do that. */
  readonly signature: string;
}

/**
 * The keys of personal data, one for each creator, separate from the log and the read models. A key that is destroyed
 * here cannot be restored from anything else. Rejects with `StoreUnavailable`.
 */
export abstract class PersonalKeyStore {
  abstract get(creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, KeptKey>>;
  /** Stores keys durably, all or none, except for creators that have or had one. Returns the stored ones. */
  abstract add(keys: ReadonlyMap<CreatorId, Buffer>): Promise<ReadonlyMap<CreatorId, KeptKey>>;
  /**
   * Replaces `from` by the same key, wrapped with another one; false if the store has something different. The
   * bytes of `from` may stay in the store's files.
   */
  abstract replace(creatorId: CreatorId, from: Buffer, to: Buffer): Promise<boolean>;
  /** The record that only this store's master key decrypts; undefined in a new store, and in one without a sentinel. */
  abstract sentinel(): Promise<Buffer | undefined>;
  /** Stores it durably if there is none, and returns the stored one: of several processes one wins. */
  abstract addSentinel(sentinel: Buffer): Promise<Buffer>;
  /** Replaces `from` by another one, or by none; false if the store has something different. */
  abstract replaceSentinel(from: Buffer, to: Buffer | undefined): Promise<boolean>;
  /** The last one that was remembered, unchecked; undefined in a store that remembers no seal. */
  abstract lastSeal(): Promise<LastSeal | undefined>;
  /** Stores it durably in place of `replaced`, or where there is none; false if the store has something different. */
  abstract rememberSeal(seal: LastSeal, replaced: LastSeal | undefined): Promise<boolean>;
  /** Overwrites the key, so that the store no longer contains its bytes. It may be repeated. */
  abstract destroy(creatorId: CreatorId, at: Instant): Promise<void>;
  /** All keys, destroyed ones too, in the order of the creators' ids; for a copy to another store. */
  abstract all(): AsyncIterable<readonly [CreatorId, KeptKey]>;
  abstract close(): Promise<void>;
}
