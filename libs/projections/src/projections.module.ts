import { type DynamicModule, Module } from '@nestjs/common';
import { SetAsides } from '#jobs';
import { BackgroundDocumentStore, Clock, EventLog, LiveCollections, type Projection } from '#kernel';
import { ReadModelComparison } from './comparison.js';
import { ReadModels } from './read-models/read-models.js';
import { READ_MODELS } from './read-models/read-models-consumer.js';
import { Rebuild } from './rebuild/rebuild.js';
import { rebuildAsides } from './rebuild/rebuild-asides.js';
import { Rollback } from './rebuild/rollback.js';
import { SetAsideList, setAsideProjection } from './set-asides/set-aside-list.js';
import { StoredLiveCollections } from './stored-live-collections.js';

/** Reading, rebuilding and comparing read models. */
@Module({})
export class ProjectionsModule {
  static forRoot(projections: readonly Projection[]): DynamicModule {
    const providers = [
      { provide: LiveCollections, useClass: StoredLiveCollections },
      ReadModels,
      {
        provide: SetAsideList,
        useFactory: (readModels: ReadModels) => new SetAsideList(readModels.of(setAsideProjection)),
        inject: [ReadModels],
      },
      {
        provide: Rebuild,
        useFactory: (
          log: EventLog,
          documents: BackgroundDocumentStore,
          clock: Clock,
          setAsides: SetAsides,
          list: SetAsideList,
        ) => new Rebuild(READ_MODELS, log, documents, clock, rebuildAsides(setAsides, list)),
        inject: [EventLog, BackgroundDocumentStore, Clock, SetAsides, SetAsideList],
      },
      {
        provide: Rollback,
        useFactory: (log: EventLog, documents: BackgroundDocumentStore, clock: Clock) =>
          new Rollback(READ_MODELS, log, documents, clock),
        inject: [EventLog, BackgroundDocumentStore, Clock],
      },
      {
        provide: ReadModelComparison,
        useFactory: (log: EventLog, documents: BackgroundDocumentStore, clock: Clock) =>
          new ReadModelComparison(READ_MODELS, projections, log, documents, clock),
        inject: [EventLog, BackgroundDocumentStore, Clock],
      },
    ];
    const exports = [LiveCollections, ReadModels, SetAsideList, Rebuild, Rollback, ReadModelComparison];
    return { module: ProjectionsModule, global: true, providers, exports };
  }
}
