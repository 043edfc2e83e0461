import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type CreatorId, type Duration, type Instant, SECOND } from '#kernel';
import type { KeptKey, PersonalKeyStore } from './ports.js';
import { KEY_BYTES, open, seal } from './sealing.js';

const REMEMBERED = 50_000;
/** How long another process may go on reading what was erased, and recording more of it. */
export const KEYS_REMEMBERED_FOR: Duration = 5 * SECOND;

/** A creator's key; null for one that was destroyed. */
export type PersonalKey = Buffer | null;

/** The creators' keys, unwrapped; they are kept in memory for some seconds only. */
export class KeyRing {
  private readonly known = new LRUCache<CreatorId, { readonly key: PersonalKey }>({
    max: REMEMBERED,
    ttl: KEYS_REMEMBERED_FOR,
  });

  /** `wrappingKey`: 32 bytes, without which the store's keys open nothing. */
  constructor(
    private readonly store: PersonalKeyStore,
    private readonly wrappingKey: Buffer,
  ) {}

  /** The keys of those creators that have or had one; none where the wrapping key is not the one they are under. */
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

  /** The creators' keys, made where they have none yet; null where one was destroyed. */
  async keysFor(creatorIds: ReadonlySet<CreatorId>): Promise<ReadonlyMap<CreatorId, PersonalKey>> {
    const known = await this.keysOf(creatorIds);
    const missing = [...creatorIds].filter((creatorId) => !known.has(creatorId));
    if (missing.length === 0) return known;
    const made = missing.map((id) => [id, seal(randomBytes(KEY_BYTES), this.wrappingKey, id)] as const);
    const keys = new Map(known);
    for (const [creatorId, kept] of await this.store.add(new Map(made))) {
      const key = this.unwrapped(creatorId, kept);
      if (key === undefined) throw new WrongMasterKey();
      keys.set(creatorId, key);
    }
    return keys;
  }

  async destroy(creatorId: CreatorId, at: Instant): Promise<void> {
    await this.store.destroy(creatorId, at);
    this.known.delete(creatorId);
  }

  private unwrapped(creatorId: CreatorId, kept: KeptKey): PersonalKey | undefined {
    const key = kept.status === 'destroyed' ? null : open(kept.wrapped, this.wrappingKey, creatorId);
    if (key !== undefined) this.known.set(creatorId, { key });
    return key;
  }
}

/** The keys of this store are under another master key; what is personal could be neither read nor written. */
export class WrongMasterKey extends Error {
  constructor() {
    super('the keys of personal data are under another master key');
    this.name = 'WrongMasterKey';
  }
}
