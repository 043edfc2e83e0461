import {
  type Document,
  type DocumentStore,
  type LiveCollections,
  type Projection,
  type RangeQuery,
  withLiveCollection,
} from '#kernel';

/** Reads the live collection of one read model. */
export class ReadModel<D extends Document> {
  constructor(
    private readonly projection: Pick<Projection, 'name' | 'version'>,
    private readonly store: DocumentStore,
    private readonly live: LiveCollections,
  ) {}

  get(id: string): Promise<D | undefined> {
    return this.read((collection) => this.store.get<D>(collection, id));
  }

  async getMany(ids: readonly string[]): Promise<D[]> {
    return ids.length === 0 ? [] : this.read((collection) => this.store.getMany<D>(collection, ids));
  }

  find(query: RangeQuery): Promise<D[]> {
    return this.read((collection) => this.store.find<D>(collection, query));
  }

  findEntries<Field extends keyof D>(query: RangeQuery): Promise<Pick<D, Field | 'id'>[]> {
    return this.read((collection) => this.store.findEntries<Pick<D, Field | 'id'>>(collection, query));
  }

  private read<T>(task: (collection: string) => Promise<T>): Promise<T> {
    return withLiveCollection(() => this.live.of(this.projection), task);
  }
}
