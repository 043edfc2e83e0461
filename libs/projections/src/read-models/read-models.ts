import { type FactoryProvider, Injectable, type Type } from '@nestjs/common';
import {
  type Document,
  DocumentStore,
  LiveCollections,
  type Projection,
  type RangeQuery,
  withLiveCollection,
} from '#kernel';

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

@Injectable()
export class ReadModels {
  constructor(
    private readonly documents: DocumentStore,
    private readonly live: LiveCollections,
  ) {}

  of<D extends Document>(projection: Pick<Projection, 'name' | 'version'>): ReadModel<D> {
    return new ReadModel<D>(projection, this.documents, this.live);
  }
}

/** Provides a class whose only dependency is the read model that it reads. */
export const readModelProvider = <D extends Document, Reader>(
  reader: Type<Reader> & (new (documents: ReadModel<D>) => Reader),
  projection: Pick<Projection, 'name' | 'version'>,
): FactoryProvider<Reader> => ({
  provide: reader,
  useFactory: (readModels: ReadModels) => new reader(readModels.of<D>(projection)),
  inject: [ReadModels],
});
