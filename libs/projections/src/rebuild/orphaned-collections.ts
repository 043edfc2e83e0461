import type { DocumentStore, Projection } from '#kernel';
import { collectionName, LIVE_COLLECTIONS, type LiveCollection } from '../stored-live-collections.js';

/**
 * Drops the collections of read models that are neither live nor kept for a rollback: an interrupted rebuild leaves
 * them, and they may hold personal data (D72). The caller holds the rebuild lock, so no other process fills one.
 */
export const dropOrphans = async (
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
    const kept = live === undefined ? [collectionName(projection, 1)] : [live.collection, live.replaced?.collection];
    for (const collection of own) if (!kept.includes(collection)) await store.drop(collection);
  }
};

const belongsTo = (readModel: string, collection: string): boolean =>
  collection.startsWith(`${readModel}_v`) && /^\d+_\d+$/.test(collection.slice(readModel.length + 2));
