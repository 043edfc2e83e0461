import {
  type CollectionDefinition,
  type CollectionWrite,
  collectionName,
  type DocumentStore,
  LIVE_COLLECTIONS,
  type LiveCollection,
  type LogConsumer,
  type LogPage,
  liveOnes,
  type Projection,
  ProjectionEngine,
  type Rebuild,
  typesOf,
} from '#kernel';
import { caseListProjection } from './cases/case-list.js';
import { dueWorkProjection } from './due-work/due-work.js';
import { impersonationListProjection } from './impersonations/impersonation-list.js';
import { keyListProjection } from './keys/key-list.js';
import { scanJobsProjection } from './scan-jobs/scan-jobs.js';
import { usageMonthsProjection } from './usage/usage-months.js';
import { usageOpeningsProjection } from './usage/usage-openings.js';
import { deliveryListProjection } from './webhooks/delivery-list.js';
import { endpointListProjection } from './webhooks/endpoint-list.js';
import { WrittenDocuments } from './written-documents.js';

/** The runner that keeps all read models, by whose checkpoint readers know how far they are. */
export const READ_MODELS = 'read-models';

/** A store without transactions writes them in this order: first what can be looked at, then what makes others look. */
export const ALL_PROJECTIONS: readonly Projection[] = [
  caseListProjection,
  endpointListProjection,
  impersonationListProjection,
  keyListProjection,
  scanJobsProjection,
  usageMonthsProjection,
  usageOpeningsProjection,
  deliveryListProjection,
  dueWorkProjection,
];

/** The collections of this version's folds, which must be there before anything reads them. */
export const readModelCollections = async (store: DocumentStore): Promise<CollectionDefinition[]> => {
  await store.ensure([LIVE_COLLECTIONS]);
  // Nothing has been read of the log yet, so that empty collections are right; later on they would have to be rebuilt.
  if ((await store.checkpoint(READ_MODELS)) === undefined) {
    for (const projection of ALL_PROJECTIONS) {
      const { name, version } = projection;
      const first: LiveCollection = { id: name, collection: collectionName(projection, 1), version };
      await store.compareAndSet(LIVE_COLLECTIONS.name, first, null);
    }
  }
  const live = await liveOnes(store, ALL_PROJECTIONS);
  return ALL_PROJECTIONS.flatMap(({ name, version, indexes }) => {
    const current = live.get(name);
    return current?.version === version ? [{ name: current.collection, indexes }] : [];
  });
};

/** Brings all read models up to the log, together. */
export class ReadModelsConsumer implements LogConsumer {
  readonly name = READ_MODELS;
  readonly types = typesOf(ALL_PROJECTIONS);
  private engine = new ProjectionEngine([]);
  private documents: WrittenDocuments;

  constructor(
    private readonly store: DocumentStore,
    private readonly rebuild: Rebuild,
  ) {
    this.documents = new WrittenDocuments(store, new Set());
  }

  /** A read model that other folds have made, or none, is made anew before anything is added to it. */
  prepare(signal: AbortSignal): Promise<void> {
    return this.rebuild.runOutdated(ALL_PROJECTIONS, signal);
  }

  async takeOver(): Promise<void> {
    const live = await liveOnes(this.store, ALL_PROJECTIONS);
    const targets = ALL_PROJECTIONS.map((projection) => {
      const current = live.get(projection.name);
      if (current?.version === projection.version) return { projection, collection: current.collection };
      // The version that was started last has made it anew.
      throw new Error(`${projection.name} is kept by version ${current?.version}, this is ${projection.version}`);
    });
    const own = targets.filter(({ projection }) => projection.notFromTheLog === undefined);
    this.engine = new ProjectionEngine(targets);
    this.documents = new WrittenDocuments(this.store, new Set(own.map(({ collection }) => collection)));
  }

  async handle(page: LogPage): Promise<readonly CollectionWrite[]> {
    const writes = await this.engine.project(this.documents, page.events);
    this.documents.remember(writes);
    return writes;
  }
}
