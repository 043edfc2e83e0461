import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  type CollectionDefinition,
  type Document,
  DocumentStore,
  type Duration,
  type Instant,
  type KeyId,
  MINUTE,
} from '#kernel';

interface KeyUse extends Document {
  readonly at: Instant;
}

/** No read model: a note for operators, which costs nothing when lost. */
export const KEY_USES: CollectionDefinition = { name: 'key_uses', indexes: [] };

const PRECISION: Duration = MINUTE;
/** Keys that were used last: of a key that is forgotten the next use is written again. */
const MAX_REMEMBERED = 10_000;

/** When each key was last used, to the minute. */
@Injectable()
export class KeyUses {
  private readonly noted = new LRUCache<KeyId, Instant>({ max: MAX_REMEMBERED });

  constructor(private readonly store: DocumentStore) {}

  /** Writes at most once a minute and key. */
  async note(keyId: KeyId, at: Instant): Promise<void> {
    const last = this.noted.get(keyId);
    if (last !== undefined && at - last < PRECISION) return;
    this.noted.set(keyId, at);
    const use: KeyUse = { id: keyId, at };
    await this.store.write([{ collection: KEY_USES.name, put: [use] }]);
  }

  async lastOf(keyIds: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
    const uses = await this.store.getMany<KeyUse>(KEY_USES.name, keyIds);
    return new Map(uses.map(({ id, at }) => [id, at]));
  }
}
