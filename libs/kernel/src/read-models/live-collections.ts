import { UnknownCollection } from '../stores/document-store.js';
import type { Projection } from './projection.js';

/** Finds the collection that serves a read model. */
export abstract class LiveCollections {
  /** The name of the live collection; for a read model that was never filled, of its first one. */
  abstract of(readModel: Pick<Projection, 'name' | 'version'>): Promise<string>;
}

/** Runs the task with the live collection; once more if a rebuild has replaced and dropped it since its name was read. */
export const withLiveCollection = async <T>(
  nameOfLive: () => Promise<string>,
  task: (collection: string) => Promise<T>,
): Promise<T> => {
  const collection = await nameOfLive();
  try {
    return await task(collection);
  } catch (error) {
    if (!(error instanceof UnknownCollection)) throw error;
    const current = await nameOfLive();
    if (current === collection) throw error;
    return task(current);
  }
};
