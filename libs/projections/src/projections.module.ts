import { type DynamicModule, Module } from '@nestjs/common';
import { DeadLetters } from '#jobs';
import { BackgroundDocumentStore, EventLog, LiveCollections, type Projection, provided } from '#kernel';
import { ReadModelComparison } from './comparison.js';
import { DeadLetterList, deadLetterProjection, RunnerHealth } from './dead-letters/dead-letter-list.js';
import { ProjectionCatalogue, ReadModelTools } from './read-model-tools.js';
import { ReadModels, readModelProvider } from './read-models/read-models.js';
import { Rebuild } from './rebuild/rebuild.js';
import { StoredLiveCollections } from './stored-live-collections.js';

@Module({})
export class ProjectionsModule {
  static forRoot(projections: readonly Projection[]): DynamicModule {
    const providers = [
      { provide: ProjectionCatalogue, useFactory: () => new ProjectionCatalogue(projections) },
      { provide: LiveCollections, useClass: StoredLiveCollections },
      ReadModels,
      ReadModelTools,
      RunnerHealth,
      readModelProvider(DeadLetterList, deadLetterProjection),
      provided(
        Rebuild,
        [EventLog, BackgroundDocumentStore, DeadLetters, DeadLetterList],
        (log, documents, deadLetters, list) => new Rebuild(log, documents, deadLetters, list),
      ),
      provided(
        ReadModelComparison,
        [EventLog, BackgroundDocumentStore],
        (log, documents) => new ReadModelComparison(log, documents),
      ),
    ];
    const exports = providers.map((provider) => ('provide' in provider ? provider.provide : provider));
    return { module: ProjectionsModule, global: true, providers, exports };
  }
}
