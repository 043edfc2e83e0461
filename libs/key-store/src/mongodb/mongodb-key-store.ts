import { Binary, type Collection, type MongoClient } from 'mongodb';
import type { CreatorId, Instant } from '#kernel';
import { clientTo, databaseName, isDuplicateKey, type Repeating, repeatingFor, type Work } from '#mongodb-connection';
import type { KeptKey, LastSeal, PersonalKeyStore } from '#personal-data';

export interface MongoDbKeyStoreOptions {
  /** The keys are in a separate database: the name in the URL with `_personal_keys` after it. */
  readonly url: string;
  /** `background` waits longer for an answer, and repeats after a timeout; default: `requests`. */
  readonly work?: Work;
}

interface StoredKey {
  readonly _id: CreatorId;
  readonly wrapped?: Binary;
  readonly destroyedAt?: Instant;
}

interface StoredSentinel {
  readonly _id: 'sentinel';
  readonly sealed: Binary;
}

interface StoredLastSeal extends LastSeal {
  readonly _id: 'last_seal';
}

const SENTINEL = { _id: 'sentinel' } as const;
const LAST_SEAL = { _id: 'last_seal' } as const;

const PAGE_SIZE = 500;

/**
 * The store of personal keys for many machines. A destroyed key can no longer be read; MongoDB's files and
 * oplog overwrite it after some time, and backups never, so backups of this database should be kept for a short time.
 * Connects at the first use. Throws `InvalidStoreUrl` if the URL cannot be read.
 */
export const openMongoDbKeyStore = ({ url, work = 'requests' }: MongoDbKeyStoreOptions): PersonalKeyStore => {
  const client = clientTo(url, work);
  const database = client.db(`${databaseName(url)}_personal_keys`);
  return new MongoDbKeyStore(
    client,
    database.collection('keys'),
    database.collection('sentinel'),
    database.collection('last_seal'),
    repeatingFor(work),
  );
};

class MongoDbKeyStore implements PersonalKeyStore {
  constructor(
    private readonly client: MongoClient,
    private readonly keys: Collection<StoredKey>,
    private readonly sentinels: Collection<StoredSentinel>,
    private readonly seals: Collection<StoredLastSeal>,
    private readonly repeating: Repeating,
  ) {}

  get(creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, KeptKey>> {
    return this.repeating(() => this.kept(creatorIds));
  }

  add(keys: ReadonlyMap<CreatorId, Buffer>): Promise<ReadonlyMap<CreatorId, KeptKey>> {
    return this.repeating(async () => {
      for (;;) {
        const kept = await this.kept([...keys.keys()]);
        const missing = [...keys].filter(([creatorId]) => !kept.has(creatorId));
        if (missing.length === 0) return kept;
        await this.insert(missing.map(([_id, wrapped]) => ({ _id, wrapped: new Binary(wrapped) })));
      }
    });
  }

  replace(creatorId: CreatorId, from: Buffer, to: Buffer): Promise<boolean> {
    return this.repeating(async () => {
      await this.keys.updateOne({ _id: creatorId, wrapped: new Binary(from) }, { $set: { wrapped: new Binary(to) } });
      // It may be a repeat after a lost answer, so the stored key shows what was done.
      const kept = (await this.kept([creatorId])).get(creatorId);
      return kept?.status === 'kept' && kept.wrapped.equals(to);
    });
  }

  sentinel(): Promise<Buffer | undefined> {
    return this.repeating(async () => {
      const found = await this.sentinels.findOne(SENTINEL);
      return found === null ? undefined : Buffer.from(found.sealed.buffer);
    });
  }

  addSentinel(sentinel: Buffer): Promise<Buffer> {
    return this.repeating(async () => {
      try {
        await this.sentinels.updateOne(SENTINEL, { $setOnInsert: { sealed: new Binary(sentinel) } }, { upsert: true });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      return (await this.sentinel()) ?? sentinel;
    });
  }

  replaceSentinel(from: Buffer, to: Buffer | undefined): Promise<boolean> {
    const replaced = { ...SENTINEL, sealed: new Binary(from) };
    return this.repeating(async () => {
      if (to === undefined) await this.sentinels.deleteOne(replaced);
      else await this.sentinels.updateOne(replaced, { $set: { sealed: new Binary(to) } });
      const stored = await this.sentinel();
      return to === undefined ? stored === undefined : (stored?.equals(to) ?? false);
    });
  }

  lastSeal(): Promise<LastSeal | undefined> {
    return this.repeating(async () => {
      const found = await this.seals.findOne(LAST_SEAL, { projection: { _id: 0 } });
      return found ?? undefined;
    });
  }

  rememberSeal(seal: LastSeal, replaced: LastSeal | undefined): Promise<boolean> {
    return this.repeating(async () => {
      try {
        await (replaced === undefined
          ? this.seals.updateOne(LAST_SEAL, { $setOnInsert: seal }, { upsert: true })
          : this.seals.updateOne({ ...LAST_SEAL, signature: replaced.signature }, { $set: seal }));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      return (await this.lastSeal())?.signature === seal.signature;
    });
  }

  destroy(creatorId: CreatorId, at: Instant): Promise<void> {
    return this.repeating(async () => {
      const standing = { _id: creatorId, destroyedAt: { $exists: false } };
      const change = { $set: { destroyedAt: at }, $unset: { wrapped: 1 } } as const;
      try {
        await this.keys.updateOne(standing, change, { upsert: true });
      } catch (error) {
        // The record exists and was destroyed before. If it was added just now, it has to be destroyed too.
        if (!isDuplicateKey(error)) throw error;
        await this.keys.updateOne(standing, change);
      }
    });
  }

  async *all(): AsyncGenerator<readonly [CreatorId, KeptKey]> {
    for (let after: CreatorId | undefined; ; ) {
      const wanted = after === undefined ? {} : { _id: { $gt: after } };
      const page = await this.repeating(() => this.keys.find(wanted).sort({ _id: 1 }).limit(PAGE_SIZE).toArray());
      yield* page.map((key) => [key._id, asKept(key)] as const);
      after = page.at(-1)?._id;
      if (page.length < PAGE_SIZE) return;
    }
  }

  close(): Promise<void> {
    return this.repeating(() => this.client.close());
  }

  private async kept(creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, KeptKey>> {
    const wanted = { _id: { $in: [...creatorIds] } };
    const found = await this.keys.find(wanted, { batchSize: Math.max(1, creatorIds.length) }).toArray();
    return new Map(found.map((key) => [key._id, asKept(key)]));
  }

  private async insert(keys: readonly StoredKey[]): Promise<void> {
    try {
      await this.keys.insertMany(keys, { ordered: false });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

const asKept = ({ wrapped, destroyedAt }: StoredKey): KeptKey =>
  wrapped === undefined
    ? { status: 'destroyed', at: destroyedAt ?? 0 }
    : { status: 'kept', wrapped: Buffer.from(wrapped.buffer) };
