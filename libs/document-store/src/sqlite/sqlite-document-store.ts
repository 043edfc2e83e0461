import {
  type Checkpoint,
  type CollectionDefinition,
  type CollectionWrite,
  DatabaseBusy,
  type Document,
  type DocumentStore,
  type Duration,
  type IndexedValue,
  type Instant,
  idOfRemoval,
  isBusy,
  type Lease,
  type RangeQuery,
  retryWhileBusy,
  SECOND,
  StoreUnavailable,
} from '#kernel/ports';
import { StoreWriter } from '#threads';
import { Catalogue, storedDefinitions } from './catalogue.js';
import { heldLease, readCheckpoint } from './claims.js';
import type { Connection } from './connected.js';
import { connected } from './connected.js';
import type { Counters } from './counters.js';
import { documentsInRange, entriesInRange, parsed, rowsOf } from './documents.js';
import type { Arguments, Operation, Result, Task } from './operations.js';
import { missingFrom } from './schema.js';
import { asStoreError, isSqliteError } from './sqlite-error.js';

/** Other processes write and read between two tries. */
const LONGEST_PAUSE: Duration = 100;
const TIMEOUT: Duration = 60 * SECOND;
const SETTINGS = { cacheKib: 2 * 1024, blocksFor: SECOND };

/**
 * Rewrites the file from its content, and empties its write-ahead log, so that neither contains freed pages or
 * overwritten rows (D72). No other process can write during this time. `secure_delete` cannot replace it: SQLite moves
 * rows when it splits and merges pages, and leaves copies of them. Of 20,000 replaced rows, about ten were still in the file.
 */
const vacuum = async (file: string): Promise<void> => {
  const connection = connected(file, SETTINGS, (opened) => opened);
  const emptyWriteAheadLog = () => {
    if (connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy !== 0) throw new DatabaseBusy();
  };
  try {
    await retryWhileBusy(() => connection.run('VACUUM'), TIMEOUT, LONGEST_PAUSE);
    await retryWhileBusy(emptyWriteAheadLog, TIMEOUT, LONGEST_PAUSE);
  } catch (error) {
    throw isBusy(error)
      ? new StoreUnavailable('other processes kept the embedded document store busy; repeat the command')
      : asStoreError(error, file);
  } finally {
    connection.close();
  }
};

/** One connection reads in this thread, without waiting; another thread writes. Counters are in another file. */
export class SqliteDocumentStore implements DocumentStore {
  private readonly catalogue: Catalogue;
  private readonly writer: StoreWriter<Task, unknown>;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly counters: Counters,
    private readonly file: string,
    caches: boolean,
  ) {
    this.catalogue = new Catalogue(connection, caches);
    this.writer = new StoreWriter({
      name: 'the embedded document store',
      module: new URL('./writing.thread.js', import.meta.url),
      settings: { file, caches },
    });
  }

  async ensure(collections: readonly CollectionDefinition[]): Promise<void> {
    if (this.read(() => missingFrom(this.connection, collections)).length === 0) return;
    await this.change('ensure', collections);
    this.read(() => this.catalogue.reload());
  }

  drop(collection: string): Promise<void> {
    return this.change('drop', collection);
  }

  async collections(): Promise<string[]> {
    return this.read(() => [...storedDefinitions(this.connection).keys()]);
  }

  purge(): Promise<void> {
    return vacuum(this.file);
  }

  async get<D extends Document>(collection: string, id: string): Promise<D | undefined> {
    const [json] = this.read(() => this.connection.texts(this.catalogue.table(collection).get, id));
    return json === undefined ? undefined : parsed<D>(json);
  }

  async getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]> {
    const read = () => this.connection.texts(this.catalogue.table(collection).getMany, JSON.stringify(ids));
    return this.read(read).map((json) => parsed<D>(json));
  }

  async find<D extends Document>(collection: string, query: RangeQuery): Promise<D[]> {
    return this.read(() => documentsInRange<D>(this.connection, this.catalogue, collection, query));
  }

  async findEntries<E extends Document>(collection: string, query: RangeQuery): Promise<E[]> {
    return this.read(() => entriesInRange<E>(this.connection, this.catalogue, collection, query));
  }

  async count(collection: string): Promise<number> {
    return Number(this.read(() => this.connection.get(this.catalogue.table(collection).count))?.count);
  }

  async write(writes: readonly CollectionWrite[], checkpoint?: Checkpoint): Promise<void> {
    const rows = writes.map(({ collection, put = [], remove = [] }) => ({
      ...this.rows(collection, put),
      remove: remove.map(idOfRemoval),
    }));
    await this.change('write', rows, checkpoint);
  }

  async compareAndSet(
    collection: string,
    document: Document,
    expected: Readonly<Record<string, IndexedValue>> | null,
    fence?: number,
  ): Promise<boolean> {
    return this.change('compareAndSet', this.rows(collection, [document]), expected, fence);
  }

  async checkpoint(name: string): Promise<Checkpoint | undefined> {
    return this.read(() => readCheckpoint(this.connection, name));
  }

  acquireLease(name: string, holder: string, now: Instant, until: Instant): Promise<Lease | undefined> {
    return this.change('acquireLease', name, holder, now, until);
  }

  releaseLease(name: string, holder: string): Promise<void> {
    return this.change('releaseLease', name, holder);
  }

  async lease(name: string): Promise<Lease | undefined> {
    return this.read(() => heldLease(this.connection, name));
  }

  increment(counter: string, by: number, expiresAt: Instant): Promise<number> {
    return this.counters.add(counter, by, expiresAt);
  }

  sweepCounters(now: Instant): Promise<number> {
    return this.counters.sweep(now);
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    await Promise.all([this.writer.close(), this.counters.close()]);
    this.connection.close();
  }

  private rows(collection: string, documents: readonly Document[]) {
    const table = this.read(() => {
      this.catalogue.refresh();
      return this.catalogue.table(collection);
    });
    return rowsOf(table, documents);
  }

  private async change<O extends Operation>(operation: O, ...rest: Arguments<O>): Promise<Result<O>> {
    return (await this.writer.add([operation, ...rest])) as Result<O>;
  }

  private read<T>(task: () => T): T {
    try {
      return task();
    } catch (error) {
      if (!isSqliteError(error)) throw asStoreError(error, this.file);
    }
    try {
      // Another process may have dropped the collection, or created it again.
      this.catalogue.reload();
      return task();
    } catch (error) {
      throw asStoreError(error, this.file);
    }
  }
}
