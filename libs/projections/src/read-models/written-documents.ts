import { type Cache, Caches, type CollectionWrite, type Document, type DocumentStore } from '#kernel';

const LIMITS = { bytes: 8 * 1024 * 1024 };

/**
 * Documents as their only writer has last left them: most events are about what another has changed shortly before, and
 * that need not be read. Wrong as soon as one of its writes has failed, or somebody else has written.
 */
export class WrittenDocuments implements Pick<DocumentStore, 'getMany'> {
  private readonly documents: Cache<string, Document>;

  constructor(
    private readonly store: Pick<DocumentStore, 'getMany'>,
    /** Those that nobody else writes to. */
    private readonly collections: ReadonlySet<string>,
    caches: Caches = Caches.ON,
  ) {
    this.documents = caches.create(LIMITS);
  }

  async getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]> {
    const known: D[] = [];
    const unknown: string[] = [];
    for (const id of ids) {
      // What is remembered of a collection was written as one of its documents.
      const document = this.documents.get(nameOf(collection, id)) as D | undefined;
      if (document === undefined) unknown.push(id);
      else known.push(document);
    }
    return unknown.length === 0 ? known : [...known, ...(await this.store.getMany<D>(collection, unknown))];
  }

  /** What is about to be written; removes come first, as in a store. */
  remember(writes: readonly CollectionWrite[]): void {
    for (const { collection, put = [], remove = [] } of writes) {
      if (!this.collections.has(collection)) continue;
      for (const id of remove) this.documents.delete(nameOf(collection, id));
      for (const document of put) this.documents.set(nameOf(collection, document.id), document);
    }
  }
}

const nameOf = (collection: string, id: string): string => `${collection}/${id}`;
