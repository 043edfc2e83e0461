import {
  type Checkpoint,
  type CollectionDefinition,
  type CollectionWrite,
  type Document,
  type DocumentStore,
  Fenced,
  type IndexedValue,
  type Instant,
  idOfRemoval,
  type Lease,
  type RangeQuery,
  UnknownCollection,
  WORKER_LEASE,
} from '#kernel';
import { hasValues } from '../../../document-store/src/definitions.js';
import { copy, MemoryCollection } from './memory-collection.js';

/** A document store for tests: it keeps nothing, and a query takes time in proportion to the collection. */
export class InMemoryDocumentStore implements DocumentStore {
  private readonly collectionsByName = new Map<string, MemoryCollection>();
  private readonly checkpoints = new Map<string, Checkpoint>();
  private readonly taken = new Map<string, Omit<Lease, 'holder'> & { readonly holder: string | null }>();
  private readonly counters = new Map<string, { readonly value: number; readonly expiresAt: Instant }>();

  async ensure(definitions: readonly CollectionDefinition[]): Promise<void> {
    for (const definition of definitions) {
      const collection = this.collectionsByName.get(definition.name) ?? new MemoryCollection(definition);
      collection.extend(definition);
      this.collectionsByName.set(definition.name, collection);
    }
  }

  async drop(collection: string): Promise<void> {
    this.collectionsByName.delete(collection);
  }

  async collections(): Promise<string[]> {
    return [...this.collectionsByName.keys()];
  }

  async purge(): Promise<void> {}

  async get<D extends Document>(collection: string, id: string): Promise<D | undefined> {
    const document = this.of(collection).documents.get(id);
    return document && copy<D>(document);
  }

  async getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]> {
    const { documents } = this.of(collection);
    return [...new Set(ids)]
      .map((id) => documents.get(id))
      .filter((document) => document !== undefined)
      .map((document) => copy<D>(document));
  }

  async find<D extends Document>(collection: string, query: RangeQuery): Promise<D[]> {
    return this.of(collection)
      .find(query)
      .map((document) => copy<D>(document));
  }

  async findEntries<E extends Document>(collection: string, query: RangeQuery): Promise<E[]> {
    return this.of(collection).findEntries(query) as E[];
  }

  async count(collection: string): Promise<number> {
    return this.of(collection).documents.size;
  }

  async write(writes: readonly CollectionWrite[], checkpoint?: Checkpoint): Promise<void> {
    if (checkpoint !== undefined && checkpoint.fence < (this.checkpoints.get(checkpoint.name)?.fence ?? 0)) {
      throw new Fenced(checkpoint.name);
    }
    const done: (() => void)[] = [];
    try {
      for (const { collection, put = [], remove = [] } of writes) {
        const target = this.of(collection);
        for (const removal of remove) done.push(target.remove(idOfRemoval(removal)));
        for (const document of put) done.push(target.put(document));
      }
    } catch (error) {
      for (const undo of done.reverse()) undo();
      throw error;
    }
    if (checkpoint !== undefined) this.checkpoints.set(checkpoint.name, { ...checkpoint });
  }

  async compareAndSet(
    collection: string,
    document: Document,
    expected: Readonly<Record<string, IndexedValue>> | null,
    fence = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    if ((this.taken.get(WORKER_LEASE)?.fence ?? 0) > fence) throw new Fenced(WORKER_LEASE);
    const target = this.of(collection);
    const stored = target.documents.get(document.id);
    const asExpected = expected === null ? stored === undefined : stored !== undefined && hasValues(stored, expected);
    if (asExpected) target.put(document);
    return asExpected;
  }

  async checkpoint(name: string): Promise<Checkpoint | undefined> {
    const checkpoint = this.checkpoints.get(name);
    return checkpoint && { ...checkpoint };
  }

  async acquireLease(name: string, holder: string, now: Instant, until: Instant): Promise<Lease | undefined> {
    const before = this.taken.get(name) ?? { holder: null, fence: 0, until: 0 };
    if (before.holder !== null && before.holder !== holder && before.until > now) return undefined;
    const lease = { name, holder, until, fence: before.holder === holder ? before.fence : before.fence + 1 };
    this.taken.set(name, lease);
    return { ...lease };
  }

  async releaseLease(name: string, holder: string): Promise<void> {
    const lease = this.taken.get(name);
    if (lease?.holder === holder) this.taken.set(name, { ...lease, holder: null });
  }

  async lease(name: string): Promise<Lease | undefined> {
    const lease = this.taken.get(name);
    return lease === undefined || lease.holder === null ? undefined : { ...lease, holder: lease.holder };
  }

  async increment(counter: string, by: number, expiresAt: Instant): Promise<number> {
    const before = this.counters.get(counter) ?? { value: 0, expiresAt };
    const value = before.value + by;
    this.counters.set(counter, { value, expiresAt: Math.max(before.expiresAt, expiresAt) });
    return value;
  }

  async sweepCounters(now: Instant): Promise<number> {
    const expired = [...this.counters].filter(([, { expiresAt }]) => expiresAt < now);
    for (const [counter] of expired) this.counters.delete(counter);
    return expired.length;
  }

  async close(): Promise<void> {}

  private of(name: string): MemoryCollection {
    const collection = this.collectionsByName.get(name);
    if (collection === undefined) throw new UnknownCollection(name);
    return collection;
  }
}
