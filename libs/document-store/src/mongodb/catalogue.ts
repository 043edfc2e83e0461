import { type IndexDefinition, UnknownCollection } from '#kernel';
import type { Database } from './database.js';

/**
 * Which collections there are. Each time that one is made it gets another name in MongoDB, so that a write which comes
 * late, to one that was dropped and made anew, ends nowhere.
 */
export interface StoredCollection {
  readonly _id: string;
  /** `<name>.<ObjectId>` */
  readonly physical: string;
  readonly indexes: readonly IndexDefinition[];
  /** Indexes that are being added: whatever is written has their values already. */
  readonly adding?: readonly IndexDefinition[];
  /** Changes with the entry. */
  readonly revision: number;
}

/** Remembers what is listed. MongoDB itself takes a collection that is not there for an empty one. */
export class Catalogue {
  private readonly known = new Map<string, StoredCollection>();

  constructor(private readonly database: Database) {}

  /** As it is now; for writers, whose documents must have the values of every index. */
  async current(names: readonly string[]): Promise<ReadonlyMap<string, StoredCollection>> {
    const listed = await this.listed(names);
    for (const name of names) if (!listed.has(name)) throw new UnknownCollection(name);
    return listed;
  }

  /** Those that there are of these. */
  async listed(names: readonly string[]): Promise<ReadonlyMap<string, StoredCollection>> {
    if (names.length === 0) return new Map();
    const found = await this.database.collections.find({ _id: { $in: [...names] } }).toArray();
    const listed = new Map(found.map((collection) => [collection._id, collection]));
    for (const name of names) this.remember(name, listed.get(name));
    return listed;
  }

  /**
   * Reads by what was known of the collection. An answer of nothing may come from one that another process has dropped,
   * or extended: only then, or where `read` can not tell, the list is looked at again.
   */
  async reading<T>(
    name: string,
    read: (collection: StoredCollection, isCurrent: boolean) => Promise<T | undefined>,
    isNothing: (result: T) => boolean,
  ): Promise<T | undefined> {
    const known = this.known.get(name);
    const result = known && (await read(known, false));
    if (result !== undefined && !isNothing(result)) return result;
    const current = (await this.current([name])).get(name);
    if (current === undefined) throw new UnknownCollection(name);
    const isSame = current.physical === known?.physical && current.revision === known.revision;
    return isSame && result !== undefined ? result : read(current, true);
  }

  forget(name: string): void {
    this.known.delete(name);
  }

  private remember(name: string, collection: StoredCollection | undefined): void {
    if (collection === undefined) this.known.delete(name);
    else this.known.set(name, collection);
  }
}

/** The indexes whose values every document has to have. */
export const allIndexes = ({ indexes, adding = [] }: StoredCollection): readonly IndexDefinition[] => [
  ...indexes,
  ...adding,
];
