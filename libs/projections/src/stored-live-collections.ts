import { Injectable } from '@nestjs/common';
import {
  type Cache,
  Caches,
  type CollectionDefinition,
  type Document,
  DocumentStore,
  LiveCollections,
  type Projection,
} from '#kernel';

/** Names the collection that serves a read model. It is one document, so that a switch is one write. */
export interface LiveCollection extends Document {
  readonly collection: string;
  readonly version: number;
  /** The collection that a rebuild or a comparison is filling, and the fence of its lease. */
  readonly shadow?: { readonly collection: string; readonly fence: number };
}

export const LIVE_COLLECTIONS: CollectionDefinition = { name: 'live_collections', indexes: [] };

/** How long a reader may use the answer that it got, in milliseconds. */
export const LIVE_COLLECTION_TTL = 50;

/** More than all read models. */
const LIMITS = { bytes: 64 * 1024, entryBytes: 256 };

/** Reads it from the document store, and caches the answer for `LIVE_COLLECTION_TTL`. */
@Injectable()
export class StoredLiveCollections extends LiveCollections {
  private readonly known: Cache<string, { readonly collection: string; readonly readAt: number }>;

  constructor(
    private readonly store: DocumentStore,
    caches: Caches = Caches.ON,
  ) {
    super();
    this.known = caches.create(LIMITS);
  }

  async of(readModel: Pick<Projection, 'name' | 'version'>): Promise<string> {
    const known = this.known.get(readModel.name);
    if (known !== undefined && performance.now() - known.readAt < LIVE_COLLECTION_TTL) return known.collection;
    // The time before the read, because the answer may be as old as that.
    const readAt = performance.now();
    const live = await this.store.get<LiveCollection>(LIVE_COLLECTIONS.name, readModel.name);
    const collection = live?.collection ?? collectionName(readModel, 1);
    this.known.set(readModel.name, { collection, readAt });
    return collection;
  }
}

export const collectionName = (readModel: Pick<Projection, 'name' | 'version'>, generation: number): string =>
  `${readModel.name}_v${readModel.version}_${generation}`;

/**
 * The name of the next collection to fill. For a read model without one it is the second, because readers expect the
 * first.
 */
export const nextCollection = (
  readModel: Pick<Projection, 'name' | 'version'>,
  live: LiveCollection | undefined,
): string => {
  const generation = Number(live?.collection.split('_').at(-1) ?? 1);
  return collectionName(readModel, generation + 1);
};

/** For a read model whose documents were of another log: readers find no collection until a rebuild has filled one. */
export const noCollectionOf = (readModel: string): LiveCollection => ({
  id: readModel,
  collection: NO_COLLECTION,
  version: 0,
});

const NO_COLLECTION = 'no_collection';

export const liveCollectionsOf = async (
  store: DocumentStore,
  readModels: readonly Pick<Projection, 'name'>[],
): Promise<ReadonlyMap<string, LiveCollection>> => {
  const names = readModels.map(({ name }) => name);
  const found = await store.getMany<LiveCollection>(LIVE_COLLECTIONS.name, names);
  return new Map(found.filter(({ collection }) => collection !== NO_COLLECTION).map((live) => [live.id, live]));
};
