import { Injectable } from '@nestjs/common';
import {
  type Cache,
  Caches,
  type CollectionDefinition,
  type Document,
  DocumentStore,
  LiveCollections,
  newEventId,
  type Position,
  type Projection,
  StoreUnavailable,
} from '#kernel';

/** A collection that a rebuild or a comparison fills. Its name is written before it is made, and never used again. */
export interface ShadowCollection {
  readonly collection: string;
  readonly version: number;
  readonly position: Position;
  /** Its process, as leases name it. Earlier builds write none. */
  readonly holder?: string;
  /** Its process changes it every ten seconds. */
  readonly beat: number;
  /** The leader may fold the rest and switch to it. */
  readonly isFilled: boolean;
}

/** Names the collection that serves a read model, and those that may replace it or are compared with it. */
export interface LiveCollection extends Document {
  readonly collection: string;
  readonly version: number;
  readonly rebuild?: ShadowCollection;
  readonly comparison?: ShadowCollection;
  /** Another one after each change by `changeEntry`. Earlier builds write none. */
  readonly change?: string;
}

export const LIVE_COLLECTIONS: CollectionDefinition = { name: 'live_collections', indexes: [] };

/** How long a reader may use the answer that it got, in milliseconds. */
export const LIVE_COLLECTION_TTL = 50;

const LIMITS = { bytes: 64 * 1024, entryBytes: 256 };

/** Reads it from the document store, and caches the answer for `LIVE_COLLECTION_TTL`. */
@Injectable()
export class StoredLiveCollections extends LiveCollections {
  private isReadable: (() => Promise<boolean>) | undefined;
  private readonly known: Cache<string, { readonly collection: string; readonly readAt: number }>;

  constructor(
    private readonly store: DocumentStore,
    caches: Caches = Caches.ON,
  ) {
    super();
    this.known = caches.create(LIMITS);
  }

  /** Until this is true, nobody reads a read model. */
  async refuseUntil(isReadable: () => Promise<boolean>): Promise<void> {
    if (!(await isReadable())) this.isReadable = isReadable;
  }

  async of(readModel: Pick<Projection, 'name' | 'version'>): Promise<string> {
    if (this.isReadable !== undefined) {
      if (!(await this.isReadable())) throw new StoreUnavailable('the read models are of another log (D92)');
      this.isReadable = undefined;
    }
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

export const collectionName = ({ name, version }: Pick<Projection, 'name' | 'version'>, digits: number): string =>
  `${name}_v${version}_${digits}`;

/** For a read model whose documents were of another log: readers find no collection until a rebuild has filled one. */
export const noCollectionOf = (readModel: string): LiveCollection => ({
  id: readModel,
  collection: 'no_collection',
  version: 0,
});

/** Without an entry, readers use the first collection. Its version is unknown, so a rebuild replaces it. */
export const noEntryOf = (readModel: Pick<Projection, 'name' | 'version'>): LiveCollection => ({
  id: readModel.name,
  collection: collectionName(readModel, 1),
  version: 0,
});

export const entriesOf = async (
  store: DocumentStore,
  readModels: readonly Pick<Projection, 'name'>[],
): Promise<ReadonlyMap<string, LiveCollection>> => {
  const names = readModels.map(({ name }) => name);
  const found = await store.getMany<LiveCollection>(LIVE_COLLECTIONS.name, names);
  return new Map(found.map((entry) => [entry.id, entry]));
};

export const liveCollectionsOf = async (
  store: DocumentStore,
  readModels: readonly Pick<Projection, 'name'>[],
): Promise<ReadonlyMap<string, LiveCollection>> =>
  new Map([...(await entriesOf(store, readModels))].filter(([, { version }]) => version > 0));

/** Replaces the entry by what `change` makes of it, and leaves it if that is undefined. Returns whether it replaced it. */
export const changeEntry = async (
  store: DocumentStore,
  readModel: string,
  change: (entry: LiveCollection | undefined) => LiveCollection | undefined,
  /** The leader's fence, for changes that only the leader makes. */
  fence?: number,
): Promise<boolean> => {
  for (;;) {
    const before = await store.get<LiveCollection>(LIVE_COLLECTIONS.name, readModel);
    const changed = change(before);
    if (changed === undefined) return false;
    // Without what earlier builds have noted there.
    const { id, collection, version, rebuild, comparison } = changed;
    const shadows = { ...(rebuild && { rebuild }), ...(comparison && { comparison }) };
    const after: LiveCollection = { id, collection, version, ...shadows, change: newEventId() };
    const expected = before === undefined ? null : { change: before.change ?? null };
    if (await store.compareAndSet(LIVE_COLLECTIONS.name, after, expected, fence)) return true;
  }
};
