import { type DynamicModule, Module } from '@nestjs/common';
import { SetAsides } from '#jobs';
import { BackgroundDocumentStore, EventLog, LiveCollections, type Projection } from '#kernel';
import { GetReadModelStatusHandler } from './application/get-read-model-status.js';
import { GetRunnerStatusHandler } from './application/get-runner-status.js';
import { RebuildReadModelsHandler } from './application/rebuild-read-models.js';
import { RetrySetAsidesHandler } from './application/retry-set-asides.js';
import { ReadModelComparison } from './comparison.js';
import { ProjectionCatalogue } from './projection-catalogue.js';
import { ReadModels, readModelProvider } from './read-models/read-models.js';
import { Rebuild } from './rebuild/rebuild.js';
import { RebuildAsides } from './rebuild/rebuild-asides.js';
import { SetAsideList, setAsideProjection } from './set-asides/set-aside-list.js';
import { StoredLiveCollections } from './stored-live-collections.js';

const USE_CASES = [GetReadModelStatusHandler, GetRunnerStatusHandler, RebuildReadModelsHandler, RetrySetAsidesHandler];

@Module({})
export class ProjectionsModule {
  static forRoot(projections: readonly Projection[]): DynamicModule {
    const providers = [
      { provide: ProjectionCatalogue, useFactory: () => new ProjectionCatalogue(projections) },
      { provide: LiveCollections, useClass: StoredLiveCollections },
      ReadModels,
      readModelProvider(SetAsideList, setAsideProjection),
      {
        provide: Rebuild,
        useFactory: (log: EventLog, documents: BackgroundDocumentStore, setAsides: SetAsides, list: SetAsideList) =>
          new Rebuild(log, documents, new RebuildAsides(setAsides, list)),
        inject: [EventLog, BackgroundDocumentStore, SetAsides, SetAsideList],
      },
      {
        provide: ReadModelComparison,
        useFactory: (log: EventLog, documents: BackgroundDocumentStore) => new ReadModelComparison(log, documents),
        inject: [EventLog, BackgroundDocumentStore],
      },
    ];
    const exports = providers.map((provider) => ('provide' in provider ? provider.provide : provider));
    return { module: ProjectionsModule, global: true, providers: [...providers, ...USE_CASES], exports };
  }
}
