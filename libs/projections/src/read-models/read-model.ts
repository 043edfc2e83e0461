import type { Document, DocumentStore, LiveCollections, Projection, RangeQuery } from '#kernel';

/** Reads the live collection of one read model. */
export class ReadModel<D extends Document> {
  constructor(
    private readonly projection: Pick<Projection, 'name' | 'version'>,
    private readonly store: DocumentStore,
    private readonly live: LiveCollections,
  ) {}

  collection = (): Promise<string> => this.live.of(this.projection);

  async get(id: string): Promise<D | undefined> {
    return this.store.get<D>(await this.collection(), id);
  }

  async getMany(ids: readonly string[]): Promise<D[]> {
    return ids.length === 0 ? [] : this.store.getMany<D>(await this.collection(), ids);
  }

  async find(query: RangeQuery): Promise<D[]> {
    return this.store.find<D>(await this.collection(), query);
  }

  /** The id and the index's fields of each document; the caller's type names the fields that it reads. */
  async findEntries<Field extends keyof D>(query: RangeQuery): Promise<Pick<D, Field | 'id'>[]> {
    return this.store.findEntries<Pick<D, Field | 'id'>>(await this.collection(), query);
  }
}
