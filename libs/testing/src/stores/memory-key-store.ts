import { type CreatorId, type Instant, StoreUnavailable } from '#kernel';
import type { KeptKey, LastSeal, PersonalKeyStore } from '#personal-data';

/** The content that stores of one process share. */
export class KeysInMemory extends Map<CreatorId, KeptKey> {
  sentinel: Buffer | undefined;
  lastSeal: LastSeal | undefined;
}

/** For fast tests, without durability. Stores over one map share their content. */
export class InMemoryKeyStore implements PersonalKeyStore {
  private isOpen = true;

  constructor(private readonly keys = new KeysInMemory()) {}

  async get(creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, KeptKey>> {
    const keys = this.opened();
    const found = new Map<CreatorId, KeptKey>();
    for (const creatorId of creatorIds) {
      const kept = keys.get(creatorId);
      if (kept !== undefined) found.set(creatorId, kept);
    }
    return found;
  }

  async add(added: ReadonlyMap<CreatorId, Buffer>): Promise<ReadonlyMap<CreatorId, KeptKey>> {
    const keys = this.opened();
    for (const [id, wrapped] of added) if (!keys.has(id)) keys.set(id, { status: 'kept', wrapped });
    return this.get([...added.keys()]);
  }

  async replace(creatorId: CreatorId, from: Buffer, to: Buffer): Promise<boolean> {
    const keys = this.opened();
    const kept = keys.get(creatorId);
    if (kept?.status !== 'kept' || !kept.wrapped.equals(from)) return false;
    keys.set(creatorId, { status: 'kept', wrapped: to });
    return true;
  }

  async sentinel(): Promise<Buffer | undefined> {
    return this.opened().sentinel;
  }

  async addSentinel(sentinel: Buffer): Promise<Buffer> {
    const keys = this.opened();
    keys.sentinel ??= sentinel;
    return keys.sentinel;
  }

  async replaceSentinel(from: Buffer, to: Buffer | undefined): Promise<boolean> {
    const keys = this.opened();
    if (!keys.sentinel?.equals(from)) return false;
    keys.sentinel = to;
    return true;
  }

  async lastSeal(): Promise<LastSeal | undefined> {
    return this.opened().lastSeal;
  }

  async rememberSeal(seal: LastSeal, replaced: LastSeal | undefined): Promise<boolean> {
    const keys = this.opened();
    if (keys.lastSeal?.signature !== replaced?.signature) return false;
    keys.lastSeal = seal;
    return true;
  }

  async destroy(creatorId: CreatorId, at: Instant): Promise<void> {
    const keys = this.opened();
    if (keys.get(creatorId)?.status !== 'destroyed') keys.set(creatorId, { status: 'destroyed', at });
  }

  async *all(): AsyncGenerator<readonly [CreatorId, KeptKey]> {
    const keys = this.opened();
    for (const id of [...keys.keys()].toSorted()) {
      const kept = keys.get(id);
      if (kept !== undefined) yield [id, kept];
    }
  }

  async close(): Promise<void> {
    this.isOpen = false;
  }

  private opened(): KeysInMemory {
    if (!this.isOpen) throw new StoreUnavailable('the store of personal keys is closed');
    return this.keys;
  }
}
