import type {
  Checkpoint,
  CollectionDefinition,
  CollectionWrite,
  Document,
  DocumentStore,
  IndexedValue,
  Instant,
  Lease,
  RangeQuery,
} from '#kernel';
import { Catalogue } from './catalogue.js';
import { giveBackLease, heldLease, moveCheckpoint, readCheckpoint, takeLease } from './claims.js';
import type { Connection } from './connection.js';
import { Counters, sweepCounters } from './counters.js';
import { applyWrite, parsed, replaceWhere, rowsInRange } from './documents.js';
import { GroupCommit } from './group-commit.js';
import { createCollection, dropCollection, missingFrom } from './schema.js';
import { asStoreError, isSqliteError } from './sqlite-error.js';

/** The port over one connection: reads run at once, writes at the end of the turn. */
export class SqliteDocumentStore implements DocumentStore {
  private readonly catalogue: Catalogue;
  private readonly writes: GroupCommit;
  private readonly counters: Counters;

  constructor(private readonly connection: Connection) {
    this.catalogue = new Catalogue(connection);
    this.writes = new GroupCommit(connection);
    this.counters = new Counters(connection, this.writes);
  }

  async ensure(collections: readonly CollectionDefinition[]): Promise<void> {
    if (this.read(() => missingFrom(this.connection, collections)).length === 0) return;
    this.define(() => {
      const missing = missingFrom(this.connection, collections);
      for (const collection of missing) createCollection(this.connection, collection);
    });
  }

  async drop(collection: string): Promise<void> {
    this.define(() => dropCollection(this.connection, collection));
  }

  async get<D extends Document>(collection: string, id: string): Promise<D | undefined> {
    const row = this.read(() => this.connection.get(this.catalogue.table(collection).get, id));
    return row && parsed<D>(row);
  }

  async getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]> {
    const read = () => this.connection.all(this.catalogue.table(collection).getMany, JSON.stringify(ids));
    return this.read(read).map((row) => parsed<D>(row));
  }

  async find<D extends Document>(collection: string, query: RangeQuery): Promise<D[]> {
    const read = () => rowsInRange(this.connection, this.catalogue, collection, query);
    return this.read(read).map((row) => parsed<D>(row));
  }

  async count(collection: string): Promise<number> {
    return Number(this.read(() => this.connection.get(this.catalogue.table(collection).count))?.count);
  }

  write(writes: readonly CollectionWrite[], checkpoint?: Checkpoint): Promise<void> {
    return this.change(() => {
      if (checkpoint !== undefined) moveCheckpoint(this.connection, checkpoint);
      for (const write of writes) applyWrite(this.connection, this.catalogue.table(write.collection), write);
    });
  }

  compareAndSet(
    collection: string,
    document: Document,
    expected: Readonly<Record<string, IndexedValue>> | null,
  ): Promise<boolean> {
    return this.change(() => replaceWhere(this.connection, this.catalogue.table(collection), document, expected));
  }

  async checkpoint(name: string): Promise<Checkpoint | undefined> {
    return this.read(() => readCheckpoint(this.connection, name));
  }

  acquireLease(name: string, holder: string, now: Instant, until: Instant): Promise<Lease | undefined> {
    return this.change(() => takeLease(this.connection, name, holder, now, until));
  }

  releaseLease(name: string, holder: string): Promise<void> {
    return this.change(() => giveBackLease(this.connection, name, holder));
  }

  async lease(name: string): Promise<Lease | undefined> {
    return this.read(() => heldLease(this.connection, name));
  }

  increment(counter: string, by: number, expiresAt: Instant): Promise<number> {
    return this.counters.add(counter, by, expiresAt);
  }

  sweepCounters(now: Instant): Promise<number> {
    return this.change(() => sweepCounters(this.connection, now));
  }

  async close(): Promise<void> {
    this.writes.commit();
    this.connection.close();
  }

  private change<T>(task: () => T): Promise<T> {
    return this.writes.run(() => {
      this.catalogue.refresh();
      return task();
    });
  }

  /** Tables change in a transaction of their own, which starts after what was written before in this turn. */
  private define(task: () => void): void {
    this.writes.commit();
    try {
      this.connection.writing(task);
    } catch (error) {
      throw asStoreError(error);
    }
  }

  private read<T>(task: () => T): T {
    try {
      return task();
    } catch (error) {
      if (!isSqliteError(error)) throw asStoreError(error);
    }
    try {
      // Another process may have dropped the collection, or made it anew.
      this.catalogue.reload();
      return task();
    } catch (error) {
      throw asStoreError(error);
    }
  }
}
