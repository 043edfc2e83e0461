import { type CreatorId, type Instant, StoreUnavailable } from '#kernel';
import type { KeptKey, PersonalKeyStore } from '#personal-data';

/** For fast tests: gone with the process. Stores over one map share what they hold. */
export class InMemoryKeyStore implements PersonalKeyStore {
  private isOpen = true;

  constructor(private readonly keys = new Map<CreatorId, KeptKey>()) {}

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

  private opened(): Map<CreatorId, KeptKey> {
    if (!this.isOpen) throw new StoreUnavailable('the store of personal keys is closed');
    return this.keys;
  }
}
