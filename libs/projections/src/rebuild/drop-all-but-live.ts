import type { DocumentStore, Projection } from '#kernel';
import { collectionName, LIVE_COLLECTIONS, type LiveCollection } from '../stored-live-collections.js';

/**
 * Drops the collections of read models that are not live: those that a rebuild has replaced, and what an interrupted one
 * has left. They may hold personal data (D72). The caller holds the rebuild lock, so no other process fills one.
 */
export const dropAllButLive = async (
  store: DocumentStore,
  projections: readonly Pick<Projection, 'name' | 'version'>[],
): Promise<void> => {
  const names = await store.collections();
  for (const projection of projections) {
    const { name } = projection;
    const own = names.filter((collection) => belongsTo(name, collection));
    if (own.length === 0) continue;
    const live = await store.get<LiveCollection>(LIVE_COLLECTIONS.name, name);
    // Without this document, readers use the first collection; an interrupted first rebuild has left another one.
    const kept = live?.collection ?? collectionName(projection, 1);
    for (const collection of own) if (collection !== kept) await store.drop(collection);
  }
};

const belongsTo = (readModel: string, collection: string): boolean =>
  collection.startsWith(`${readModel}_v`) && /^\d+_\d+$/.test(collection.slice(readModel.length + 2));

/** As builds wrote it that could switch back: they kept the collection that was live before. */
type EarlierLiveCollection = LiveCollection & { readonly replaced?: unknown };

/** The read models of which an earlier build has kept another collection. */
export const withKeptCollection = async (
  store: DocumentStore,
  projections: readonly Pick<Projection, 'name'>[],
): Promise<LiveCollection[]> => {
  const names = projections.map(({ name }) => name);
  const found = await store.getMany<EarlierLiveCollection>(LIVE_COLLECTIONS.name, names);
  return found.flatMap(({ replaced, ...live }) => (replaced === undefined ? [] : [live]));
};
