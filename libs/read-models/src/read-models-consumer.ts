import {
  type CollectionDefinition,
  type CollectionWrite,
  type DocumentStore,
  LIVE_COLLECTIONS,
  LiveCollections,
  type LogConsumer,
  type LogPage,
  type Projection,
  project,
  type Target,
  typesOf,
} from '#kernel';
import { caseListProjection } from './cases/case-list.js';
import { dueWorkProjection } from './due-work/due-work.js';
import { feedIndexProjection } from './event-feed/feed-index.js';
import { keyListProjection } from './keys/key-list.js';
import { scanJobsProjection } from './scan-jobs/scan-jobs.js';

/** The runner that keeps all read models, by whose checkpoint readers know how far they are. */
export const READ_MODELS = 'read-models';

export const ALL_PROJECTIONS: readonly Projection[] = [
  caseListProjection,
  dueWorkProjection,
  feedIndexProjection,
  keyListProjection,
  scanJobsProjection,
];

/** The collections that must be there before anything reads them. */
export const readModelCollections = async (store: DocumentStore): Promise<CollectionDefinition[]> => {
  await store.ensure([LIVE_COLLECTIONS]);
  const live = new LiveCollections(store);
  return Promise.all(
    ALL_PROJECTIONS.map(async (projection) => ({ name: await live.of(projection), indexes: projection.indexes })),
  );
};

/** Brings all read models up to the log, together. */
export class ReadModelsConsumer implements LogConsumer {
  readonly name = READ_MODELS;
  readonly types = typesOf(ALL_PROJECTIONS);
  private targets: readonly Target[] = [];

  constructor(
    private readonly store: DocumentStore,
    private readonly live: LiveCollections,
  ) {}

  async takeOver(): Promise<void> {
        this.targets = await Promise.all(
      ALL_PROJECTIONS.map(async (projection) => ({ projection, collection: await this.live.of(projection) })),
    );
  }

  handle(page: LogPage): Promise<readonly CollectionWrite[]> {
    return project(this.store, this.targets, page.events);
  }
}
