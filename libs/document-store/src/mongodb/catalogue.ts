import { type Cache, type Caches, StoreUnavailable, UnknownCollection } from '#kernel';
import { indexedFields } from '../definitions.js';
import type { CatalogueEntry, Database } from './database.js';

const LIMITS = { bytes: 1024 * 1024, entryBytes: 2_048 };

/** Caches the entries for readers. MongoDB itself answers for a missing collection as for an empty one. */
export class Catalogue {
  private readonly known: Cache<string, CatalogueEntry>;

  constructor(
    private readonly database: Database,
    caches: Caches,
  ) {
    this.known = caches.create(LIMITS);
  }

  /** Never from the cache: writers need the current collection and indexes. */
  async current(names: readonly string[]): Promise<ReadonlyMap<string, CatalogueEntry>> {
    const entries = await this.entries(names);
    for (const name of names) if (!entries.has(name)) throw new UnknownCollection(name);
    return entries;
  }

  async entries(names: readonly string[]): Promise<ReadonlyMap<string, CatalogueEntry>> {
    if (names.length === 0) return new Map();
    const found = await this.database.collections.find({ _id: { $in: [...names] } }).toArray();
    if (found.some(({ collection }) => collection === undefined)) throw this.isOfVersion08();
    const entries = new Map(found.map((entry) => [entry._id, entry]));
    for (const name of names) this.remember(name, entries.get(name));
    return entries;
  }

  /** Reads the entry again after an empty answer, because another process may have dropped or extended the collection. */
  async reading<T>(
    name: string,
    read: (entry: CatalogueEntry, isCurrent: boolean) => Promise<T | undefined>,
    isEmpty: (result: T) => boolean,
  ): Promise<T | undefined> {
    const known = this.known.get(name);
    const result = known && (await read(known, false));
    if (result !== undefined && !isEmpty(result)) return result;
    const current = (await this.current([name])).get(name);
    if (current === undefined) throw new UnknownCollection(name);
    const isSame = current.collection === known?.collection && current.revision === known.revision;
    return isSame && result !== undefined ? result : read(current, true);
  }

  forget(name: string): void {
    this.known.delete(name);
  }

  private isOfVersion08(): StoreUnavailable {
    const { databaseName } = this.database.db;
    return new StoreUnavailable(
      `documents of version 0.8 are in the database ${databaseName}: stop all processes, drop it and start; the workers fill it from the log`,
    );
  }

  private remember(name: string, entry: CatalogueEntry | undefined): void {
    if (entry === undefined) this.known.delete(name);
    else this.known.set(name, entry);
  }
}

export const fieldsOf = ({ _id, indexes }: CatalogueEntry): readonly string[] => indexedFields({ name: _id, indexes });
