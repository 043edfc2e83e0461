import type { Collection, FindCursor, MongoClient } from 'mongodb';
import {
  Caches,
  type Checkpoint,
  type CollectionDefinition,
  type CollectionWrite,
  type Document,
  type DocumentStore,
  type IndexDefinition,
  type IndexedValue,
  type Instant,
  type Lease,
  MINUTE,
  type RangeQuery,
} from '#kernel';
import { once, type Repeating } from '#mongodb-connection';
import { Catalogue } from './catalogue.js';
import { addToCounter, Checkpoints, giveBackLease, heldLease, sweepExpired, takeLease } from './claims.js';
import { compareAndSet } from './compare-and-set.js';
import type { CatalogueEntry, Database } from './database.js';
import { dropCollection, ensureCollections, sweep } from './definitions.js';
import { rangeFilter } from './range-filter.js';
import { documentOf, entryOf, isPresent, PRESENT, pathOf, type StoredDocument } from './stored.js';
import { apply, batchOf } from './writes.js';

/** The port over one client. Nothing here relies on transactions; the README says what it relies on. */
export class MongoDbDocumentStore implements DocumentStore {
  private readonly catalogue: Catalogue;
  private readonly checkpoints: Checkpoints;
  private isPrepared = false;

  constructor(
    private readonly client: MongoClient,
    private readonly database: Database,
    private readonly repeating: Repeating,
    caches: Caches = Caches.ON,
  ) {
    this.catalogue = new Catalogue(database, caches);
    this.checkpoints = new Checkpoints(database.checkpoints);
  }

  ensure(collections: readonly CollectionDefinition[]): Promise<void> {
    return this.repeating(async () => {
      if (!this.isPrepared) await this.prepare();
      await ensureCollections(this.database, this.catalogue, collections);
    });
  }

  drop(collection: string): Promise<void> {
    return this.repeating(async () => {
      await dropCollection(this.database, collection);
      this.catalogue.forget(collection);
    });
  }

  collections(): Promise<string[]> {
    return this.repeating(async () => (await this.database.collections.find().toArray()).map(({ _id }) => _id));
  }

  /** MongoDB keeps older data in its oplog, journal and free space: docs/personal-data.md says for how long. */
  purge(): Promise<void> {
    return this.repeating(() => sweep(this.database, MINUTE));
  }

  async get<D extends Document>(collection: string, id: string): Promise<D | undefined> {
    const [found] = await this.read(collection, (documents) => present<D>(documents.find({ _id: id })));
    return found;
  }

  getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]> {
    const batchSize = Math.max(1, ids.length);
    return this.read(collection, (documents) => present<D>(documents.find({ _id: { $in: [...ids] } }, { batchSize })));
  }

  find<D extends Document>(collection: string, query: RangeQuery): Promise<D[]> {
    return this.read(collection, (documents, entry, isCurrent) => {
      const index = indexOf(entry, query, isCurrent);
      const cursor = index && inRange(documents, index, query);
      return cursor && present<D>(cursor);
    });
  }

  findEntries<E extends Document>(collection: string, query: RangeQuery): Promise<E[]> {
    return this.read(collection, (documents, entry, isCurrent) => {
      const index = indexOf(entry, query, isCurrent);
      if (index === undefined) return undefined;
      const projection = Object.fromEntries(['id', ...index.fields].map((field) => [pathOf(field), 1]));
      const cursor = inRange(documents, index, query)?.project<StoredDocument>(projection);
      return cursor?.map((document) => entryOf<E>(index, document)).toArray();
    });
  }

  count(collection: string): Promise<number> {
    return this.repeating(async () => {
      const count = await this.catalogue.reading(
        collection,
        (entry) => this.database.documents(entry.collection).countDocuments(PRESENT),
        (count) => count === 0,
      );
      return count ?? 0;
    });
  }

  write(writes: readonly CollectionWrite[], checkpoint?: Checkpoint, position = checkpoint?.position): Promise<void> {
    return this.repeating(async () => {
      const names = writes.map(({ collection }) => collection);
      const [entries] = await Promise.all([
        this.catalogue.current(names),
        checkpoint && this.checkpoints.admit(checkpoint),
      ]);
      const batches = writes.map((write) => {
        const entry = entries.get(write.collection);
        if (entry === undefined)
          throw new TypeError(`the collection ${write.collection} was not looked up before the write`);
        return batchOf(entry, write, position);
      });
      for (const batch of batches) await apply(this.database, batch);
      if (checkpoint !== undefined) await this.checkpoints.move(checkpoint);
    });
  }

  compareAndSet(
    collection: string,
    document: Document,
    expected: Readonly<Record<string, IndexedValue>> | null,
    fence?: number,
  ): Promise<boolean> {
    return this.repeating(async (isRepeat) => {
      const entry = (await this.catalogue.current([collection])).get(collection);
      return entry !== undefined && compareAndSet(this.database, entry, document, expected, fence, isRepeat);
    });
  }

  checkpoint(name: string): Promise<Checkpoint | undefined> {
    return this.repeating(() => this.checkpoints.read(name));
  }

  acquireLease(name: string, holder: string, now: Instant, until: Instant): Promise<Lease | undefined> {
    return this.repeating(() => takeLease(this.database.leases, name, holder, now, until));
  }

  releaseLease(name: string, holder: string): Promise<void> {
    return this.repeating(() => giveBackLease(this.database.leases, name, holder));
  }

  lease(name: string): Promise<Lease | undefined> {
    return this.repeating(() => heldLease(this.database.leases, name));
  }

  increment(counter: string, by: number, expiresAt: Instant): Promise<number> {
    return once(() => addToCounter(this.database.counters, counter, by, expiresAt));
  }

  sweepCounters(now: Instant): Promise<number> {
    return this.repeating(async () => {
      const swept = await sweepExpired(this.database.counters, now);
      await sweep(this.database);
      return swept;
    });
  }

  close(): Promise<void> {
    return once(() => this.client.close());
  }

  private async prepare(): Promise<void> {
    await this.database.counters.createIndex({ expiresAt: 1 }, { name: 'expired' });
    this.isPrepared = true;
  }

  private async read<D extends Document>(
    collection: string,
    find: (
      documents: Collection<StoredDocument>,
      entry: CatalogueEntry,
      isCurrent: boolean,
    ) => Promise<D[]> | undefined,
  ): Promise<D[]> {
    const found = await this.repeating(() =>
      this.catalogue.reading(
        collection,
        async (entry, isCurrent) => find(this.database.documents(entry.collection), entry, isCurrent),
        ({ length }) => length === 0,
      ),
    );
    return found ?? [];
  }
}

const present = async <D extends Document>(cursor: FindCursor<StoredDocument>): Promise<D[]> =>
  (await cursor.toArray()).filter(isPresent).map(documentOf<D>);

/** Undefined if the index may have been added since the collection was looked up. */
const indexOf = (
  { _id, indexes }: CatalogueEntry,
  query: RangeQuery,
  isCurrent: boolean,
): IndexDefinition | undefined => {
  const index = indexes.find(({ name }) => name === query.index);
  if (index === undefined && isCurrent) throw new Error(`${_id} has no index ${query.index}`);
  return index;
};

/** MongoDB reads a limit of 0 as no limit, so nothing is requested then. */
const inRange = (documents: Collection<StoredDocument>, index: IndexDefinition, query: RangeQuery) => {
  const { filter, sort, limit } = rangeFilter(index, query);
  const hint = index.fields.length === 0 ? '_id_' : index.name;
  return limit === 0 ? undefined : documents.find(filter, { sort, limit, hint, batchSize: limit });
};
