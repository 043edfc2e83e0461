import { type Cache, Caches, type CollectionWrite, type Document, type DocumentStore, idOfRemoval } from '#kernel';

const LIMITS = { bytes: 8 * 1024 * 1024 };

/**
 * Documents as their only writer last wrote them. Most events change a document that was changed shortly before, so it
 * need not be read. Outdated after a failed write, and after another process has written.
 */
export class WrittenDocuments implements Pick<DocumentStore, 'getMany'> {
  private readonly documents: Cache<string, Document>;

  constructor(
    private readonly store: Pick<DocumentStore, 'getMany'>,
    /** Collections without any other writer. */
    private readonly collections: ReadonlySet<string>,
    caches: Caches = Caches.ON,
  ) {
    this.documents = caches.create(LIMITS);
  }

  async getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]> {
    const known: D[] = [];
    const unknown: string[] = [];
    for (const id of ids) {
      // The document has the type with which it was written.
      const document = this.documents.get(nameOf(collection, id)) as D | undefined;
      if (document === undefined) unknown.push(id);
      else known.push(document);
    }
    return unknown.length === 0 ? known : [...known, ...(await this.store.getMany<D>(collection, unknown))];
  }

  /** Called before the write; removes come first, as in a store. */
  remember(writes: readonly CollectionWrite[]): void {
    for (const { collection, put = [], remove = [] } of writes) {
      if (!this.collections.has(collection)) continue;
      for (const removal of remove) this.documents.delete(nameOf(collection, idOfRemoval(removal)));
      for (const document of put) this.documents.set(nameOf(collection, document.id), document);
    }
  }
}

const nameOf = (collection: string, id: string): string => `${collection}/${id}`;
