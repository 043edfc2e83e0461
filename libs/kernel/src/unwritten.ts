import type { CollectionWrite, Document, DocumentStore } from './document-store.js';
import { IdFilter } from './id-filter.js';

/** Documents in one write: some tens of milliseconds in which nobody else has a turn. */
const WRITE = 4_000;

interface Entry {
  /** Undefined where it was removed. */
  readonly document: Document | undefined;
  /** Whether the store has a document of this id, whichever. */
  readonly isStored: boolean;
  readonly isChanged: boolean;
}

interface Kept {
  readonly entries: Map<string, Entry>;
  /** Which ids have ever been stored: there is no need to ask for others. */
  readonly stored: IdFilter;
}

/**
 * Changes to collections that were empty and that nobody else writes, kept back until there are many: a document that
 * changes often is written once, one that soon vanishes never, and, in the order of ids, each page of an index once.
 */
export class Unwritten {
  private readonly collections = new Map<string, Kept>();

  constructor(private readonly store: Pick<DocumentStore, 'getMany'>) {}

  /** How many documents it keeps in memory. */
  get size(): number {
    let size = 0;
    for (const { entries } of this.collections.values()) size += entries.size;
    return size;
  }

  /** As they will be once all is written. */
  async getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]> {
    const { entries, stored } = this.of(collection);
    const missing = ids.filter((id) => !entries.has(id) && stored.mayHave(id));
    for (const document of missing.length === 0 ? [] : await this.store.getMany(collection, missing)) {
      entries.set(document.id, { document, isStored: true, isChanged: false });
    }
    const found: Document[] = [];
    for (const id of ids) {
      const document = entries.get(id)?.document;
      if (document !== undefined) found.push(document);
    }
    // What was put into the collection as a `D` comes back as one.
    return found as D[];
  }

  /** Takes changes to documents that `getMany` was asked for since the last `write`. */
  take(writes: readonly CollectionWrite[]): void {
    for (const { collection, put = [], remove = [] } of writes) {
      const { entries } = this.of(collection);
      for (const id of remove) {
        if (entries.get(id)?.isStored) entries.set(id, { document: undefined, isStored: true, isChanged: true });
        else entries.delete(id);
      }
      for (const document of put) {
        const isStored = entries.get(document.id)?.isStored ?? false;
        entries.set(document.id, { document, isStored, isChanged: true });
      }
    }
  }

  /** Hands over all changes, in pieces, and keeps nothing. */
  async write(write: (writes: readonly CollectionWrite[]) => Promise<void>): Promise<void> {
    for (const [collection, { entries, stored }] of this.collections) {
      const ids: string[] = [];
      for (const [id, { isChanged }] of entries) if (isChanged) ids.push(id);
      ids.sort();
      for (let from = 0; from < ids.length; from += WRITE) {
        const put: Document[] = [];
        const remove: string[] = [];
        for (const id of ids.slice(from, from + WRITE)) {
          const document = entries.get(id)?.document;
          if (document === undefined) remove.push(id);
          else put.push(document);
        }
        for (const { id } of put) stored.add(id);
        await write([{ collection, put, remove }]);
      }
      entries.clear();
    }
  }

  private of(collection: string): Kept {
    const known = this.collections.get(collection);
    if (known !== undefined) return known;
    const kept = { entries: new Map<string, Entry>(), stored: new IdFilter() };
    this.collections.set(collection, kept);
    return kept;
  }
}
