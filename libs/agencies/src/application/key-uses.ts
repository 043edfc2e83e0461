import { Injectable } from '@nestjs/common';
import {
  ageOf,
  type Cache,
  Caches,
  type CollectionDefinition,
  type Document,
  DocumentStore,
  type Duration,
  type Instant,
  type KeyId,
  Logger,
  MINUTE,
} from '#kernel';

export interface KeyUse extends Document {
  readonly at: Instant;
}

/** Not a read model but a note for operators; a loss has no other effect. */
export const KEY_USES: CollectionDefinition = { name: 'key_uses', indexes: [] };

/** Not the id of a key. */
const RECORDED_SINCE = 'recorded_since';

const PRECISION: Duration = MINUTE;
/** Some 10,000 keys. The next use of a key that has left the cache is written again. */
const LIMITS = { bytes: 2 * 1024 * 1024, entryBytes: 200 };

/** When each key was last used, to the minute. */
@Injectable()
export class KeyUses {
  private readonly noted: Cache<KeyId, Instant>;

  constructor(
    private readonly store: DocumentStore,
    private readonly logger: Logger,
    caches: Caches = Caches.ON,
  ) {
    this.noted = caches.create(LIMITS);
  }

  /** Writes at most once per minute and key. Nothing waits for it or fails with it. */
  note(keyId: KeyId, at: Instant): void {
    const last = this.noted.get(keyId);
    if (last !== undefined && ageOf(last, at) < PRECISION) return;
    this.noted.set(keyId, at);
    const use: KeyUse = { id: keyId, at };
    this.store.write([{ collection: KEY_USES.name, put: [use] }]).catch((error: unknown) => {
      this.noted.delete(keyId);
      this.logger.warn({ err: error, key_id: keyId }, 'could not record the use of a key');
    });
  }

  /** Records, once per document store, the time since which uses are recorded there. */
  async recordFrom(now: Instant): Promise<void> {
    const since: KeyUse = { id: RECORDED_SINCE, at: now };
    await this.store.compareAndSet(KEY_USES.name, since, null);
  }

  /** Before this time a key may have been used without a record; undefined if uses have never been recorded. */
  async recordedSince(): Promise<Instant | undefined> {
    return (await this.store.get<KeyUse>(KEY_USES.name, RECORDED_SINCE))?.at;
  }

  async lastOf(keyIds: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
    const uses = await this.store.getMany<KeyUse>(KEY_USES.name, keyIds);
    return new Map(uses.map(({ id, at }) => [id, at]));
  }
}
