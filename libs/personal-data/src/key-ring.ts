import { randomBytes } from 'node:crypto';
import { type Cache, Caches, type CreatorId, type Duration, type Instant, SECOND, WrongMasterKey } from '#kernel';
import { decrypt, encrypt, KEY_BYTES } from './encryption.js';
import type { KeptKey, PersonalKeyStore, WrappingKeys } from './ports.js';

/** How long a process caches a key: for this long, another process may still read erased texts and record more. */
export const KEY_CACHE_TTL: Duration = 5 * SECOND;

/** About 28,000 keys. */
const LIMITS = { bytes: 15 * 1024 * 1024, entryBytes: 300, ttl: KEY_CACHE_TTL };

export type PersonalKey = Buffer | null;

export interface Rewrapped {
  readonly rewrapped: number;
  readonly unreadable: readonly CreatorId[];
}

/** The creators' keys, unwrapped. They are in memory for only a few seconds. */
export class KeyRing {
  private readonly known: Cache<CreatorId, { readonly key: PersonalKey }>;

  constructor(
    private readonly store: PersonalKeyStore,
    /** Without these, the keys in the store decrypt nothing. */
    private readonly wrappingKeys: WrappingKeys,
    /** Learns which of the wrapping keys encrypts: another process may have begun a rotation (D85). */
    private readonly refresh: () => Promise<void> = async () => undefined,
    caches: Caches = Caches.ON,
  ) {
    this.known = caches.create(LIMITS);
  }

  /** The keys of the creators that have or had one, except those that no wrapping key decrypts. */
  async keysOf(creatorIds: Iterable<CreatorId>): Promise<ReadonlyMap<CreatorId, PersonalKey>> {
    const keys = new Map<CreatorId, PersonalKey>();
    const unknown: CreatorId[] = [];
    for (const creatorId of creatorIds) {
      const known = this.known.get(creatorId);
      if (known === undefined) unknown.push(creatorId);
      else keys.set(creatorId, known.key);
    }
    if (unknown.length === 0) return keys;
    for (const [creatorId, kept] of await this.store.get(unknown)) {
      const key = this.unwrapped(creatorId, kept);
      if (key !== undefined) keys.set(creatorId, key);
    }
    return keys;
  }

  /** Null if one was destroyed. Creators without a key get one after `beforeMaking` has agreed, unless theirs was lost. */
  async keysFor(
    creatorIds: ReadonlySet<CreatorId>,
    beforeMaking?: (creatorIds: readonly CreatorId[]) => Promise<void>,
  ): Promise<ReadonlyMap<CreatorId, PersonalKey>> {
    const known = await this.keysOf(creatorIds);
    const missing = [...creatorIds].filter((creatorId) => !known.has(creatorId));
    if (missing.length === 0) return known;
    if (beforeMaking !== undefined && (await this.store.get(missing)).size === 0) await beforeMaking(missing);
    await this.refresh();
    const wrappingKey = this.wrappingKeys.current;
    const made = missing.map((id) => [id, encrypt(randomBytes(KEY_BYTES), wrappingKey, id)] as const);
    const keys = new Map(known);
    for (const [creatorId, kept] of await this.store.add(new Map(made))) {
      const key = this.unwrapped(creatorId, kept);
      if (key === undefined) throw new WrongMasterKey();
      keys.set(creatorId, key);
    }
    // D85: a concurrent rotation may have passed these keys before they were stored.
    await this.refresh();
    if (this.wrappingKeys.current !== wrappingKey) {
      for (const [creatorId, kept] of await this.store.get(missing)) await this.rewrap(creatorId, kept);
    }
    return keys;
  }

  /** D85: rewraps with the current wrapping key what another one wraps. Keys that none decrypts do not change. */
  async rewrapAll(): Promise<Rewrapped> {
    let rewrapped = 0;
    const unreadable: CreatorId[] = [];
    for await (const [creatorId, kept] of this.store.all()) {
      const outcome = await this.rewrap(creatorId, kept);
      if (outcome === 'rewrapped') rewrapped++;
      if (outcome === 'unreadable') unreadable.push(creatorId);
    }
    return { rewrapped, unreadable };
  }

  async destroy(creatorId: CreatorId, at: Instant): Promise<void> {
    await this.store.destroy(creatorId, at);
    this.forget(creatorId);
  }

  forget(creatorId: CreatorId): void {
    this.known.delete(creatorId);
  }

  private async rewrap(creatorId: CreatorId, kept: KeptKey): Promise<'rewrapped' | 'kept' | 'unreadable'> {
    const { current } = this.wrappingKeys;
    if (kept.status === 'destroyed' || decrypt(kept.wrapped, current, creatorId) !== undefined) return 'kept';
    const key = this.unwrap(creatorId, kept.wrapped);
    if (key === undefined) return 'unreadable';
    const isReplaced = await this.store.replace(creatorId, kept.wrapped, encrypt(key, current, creatorId));
    return isReplaced ? 'rewrapped' : 'kept';
  }

  private unwrapped(creatorId: CreatorId, kept: KeptKey): PersonalKey | undefined {
    const key = kept.status === 'destroyed' ? null : this.unwrap(creatorId, kept.wrapped);
    if (key === undefined) return undefined;
    this.known.set(creatorId, { key });
    return key;
  }

  private unwrap(creatorId: CreatorId, wrapped: Buffer): Buffer | undefined {
    for (const wrappingKey of this.wrappingKeys.all) {
      const key = decrypt(wrapped, wrappingKey, creatorId);
      if (key !== undefined) return key;
    }
    return undefined;
  }
}
