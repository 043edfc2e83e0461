import type { CollectionDefinition, Document, DocumentStore } from './document-store.js';
import type { Position } from './event.js';
import type { Projection } from './projection.js';

/** What served before, and can serve again once it has been brought up to the log. */
export interface ReplacedCollection {
  readonly collection: string;
  readonly version: number;
  /** It reflects the log up to here. */
  readonly position: Position;
}

/** Which collection serves a read model now. One document says it, so that a rebuilt one is switched to at once. */
export interface LiveCollection extends Document {
  readonly collection: string;
  /** The version of the projection's folds that filled it. */
  readonly version: number;
  /** Kept until the next rebuild, for a rollback. */
  readonly replaced?: ReplacedCollection;
  /** What is being filled to replace it, or to be compared with it, by the turn with that fence. */
  readonly shadow?: { readonly collection: string; readonly fence: number };
}

export const LIVE_COLLECTIONS: CollectionDefinition = { name: 'live_collections', indexes: [] };

/** How long a reader may go on with the collection that it knew, in milliseconds. */
export const REMEMBERED = 50;

/** Finds the collection that serves a read model. */
export class LiveCollections {
  private readonly known = new Map<string, { collection: string; asked: number }>();

  constructor(private readonly store: DocumentStore) {}

  /** The live collection's name; the first one's where the read model was never made. */
  async of(readModel: Pick<Projection, 'name' | 'version'>): Promise<string> {
    const known = this.known.get(readModel.name);
    if (known !== undefined && performance.now() - known.asked < REMEMBERED) return known.collection;
    // Of before the look: what it finds may be older than its answer, and is remembered no longer for that.
    const asked = performance.now();
    const live = await this.store.get<LiveCollection>(LIVE_COLLECTIONS.name, readModel.name);
    const collection = live?.collection ?? collectionName(readModel, 1);
    this.known.set(readModel.name, { collection, asked });
    return collection;
  }
}

/** The nth collection that is filled for a read model. */
export const collectionName = (readModel: Pick<Projection, 'name' | 'version'>, generation: number): string =>
  `${readModel.name}_v${readModel.version}_${generation}`;

/**
 * The collection after the live one and after what it replaced; of a read model that has none, the second, as the first
 * is what readers expect.
 */
export const nextCollection = (
  readModel: Pick<Projection, 'name' | 'version'>,
  live: LiveCollection | undefined,
): string => {
  const taken = [live, live?.replaced].map((one) => Number(one?.collection.split('_').at(-1) ?? 1));
  return collectionName(readModel, Math.max(...taken) + 1);
};

/** What serves the read models now, by their names; those that were never made are missing. */
export const liveOnes = async (
  store: DocumentStore,
  readModels: readonly Pick<Projection, 'name'>[],
): Promise<ReadonlyMap<string, LiveCollection>> => {
  const names = readModels.map(({ name }) => name);
  const found = await store.getMany<LiveCollection>(LIVE_COLLECTIONS.name, names);
  return new Map(found.map((live) => [live.id, live]));
};
