import type { Projection } from './projection.js';

/** Finds the collection that serves a read model. */
export abstract class LiveCollections {
  /** The name of the live collection; for a read model that was never filled, of its first one. */
  abstract of(readModel: Pick<Projection, 'name' | 'version'>): Promise<string>;
}
