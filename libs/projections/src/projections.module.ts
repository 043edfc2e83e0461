import { type DynamicModule, Module } from '@nestjs/common';
import { DeadLetters } from '#jobs';
import { BackgroundDocumentStore, EventLog, LiveCollections, type Projection } from '#kernel';
import { GetReadModelStatusHandler } from './application/get-read-model-status.js';
import { GetRunnerStatusHandler } from './application/get-runner-status.js';
import { RebuildReadModelsHandler } from './application/rebuild-read-models.js';
import { RetryDeadLettersHandler } from './application/retry-dead-letters.js';
import { ReadModelComparison } from './comparison.js';
import { DeadLetterList, deadLetterProjection } from './dead-letters/dead-letter-list.js';
import { ProjectionCatalogue } from './projection-catalogue.js';
import { ReadModels, readModelProvider } from './read-models/read-models.js';
import { Rebuild } from './rebuild/rebuild.js';
import { RebuildDeadLetters } from './rebuild/rebuild-dead-letters.js';
import { StoredLiveCollections } from './stored-live-collections.js';

const USE_CASES = [
  GetReadModelStatusHandler,
  GetRunnerStatusHandler,
  RebuildReadModelsHandler,
  RetryDeadLettersHandler,
];

@Module({})
export class ProjectionsModule {
  static forRoot(projections: readonly Projection[]): DynamicModule {
    const providers = [
      { provide: ProjectionCatalogue, useFactory: () => new ProjectionCatalogue(projections) },
      { provide: LiveCollections, useClass: StoredLiveCollections },
      ReadModels,
      readModelProvider(DeadLetterList, deadLetterProjection),
      {
        provide: Rebuild,
        useFactory: (
          log: EventLog,
          documents: BackgroundDocumentStore,
          deadLetters: DeadLetters,
          list: DeadLetterList,
        ) => new Rebuild(log, documents, new RebuildDeadLetters(deadLetters, list)),
        inject: [EventLog, BackgroundDocumentStore, DeadLetters, DeadLetterList],
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
