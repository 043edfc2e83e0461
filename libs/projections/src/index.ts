export { GetReadModelStatus, type StatusReport } from './application/get-read-model-status.js';
export { GetRunnerStatus } from './application/get-runner-status.js';
export { RebuildReadModels } from './application/rebuild-read-models.js';
export { RetryDeadLetters } from './application/retry-dead-letters.js';
export {
  type ComparedReadModel,
  type DocumentDifference,
  ReadModelComparison,
  VersionMismatch,
} from './comparison.js';
export {
  type DeadLetterDocument,
  DeadLetterList,
  deadLetterProjection,
  MAX_COUNTED_DEAD_LETTERS,
  requireComplete,
} from './dead-letters/dead-letter-list.js';
export { boundedSearch } from './engine/bounded-search.js';
export {
  assertCursorOf,
  BY_CREATOR,
  type DocumentOfCreator,
  ListByCreator,
  type ListPage,
  type ListPageQuery,
} from './engine/list-by-creator.js';
export {
  BY_TIME,
  type DocumentByTime,
  documentByTime,
  type NewestPage,
  type NewestPageQuery,
  newestOfCreator,
} from './engine/newest-of-creator.js';
export { ProjectionEngine } from './engine/projection-engine.js';
export { ReadModel } from './engine/read-model.js';
export {
  byRunner,
  DASHBOARD_READ_MODELS,
  laneOfReadModels,
  READ_MODELS,
  readModelsPassed,
} from './engine/read-models-runner.js';
export { ProjectionCatalogue } from './projection-catalogue.js';
export type { ReadModelStatus } from './read-model-status.js';
export { ReadModels, readModelProvider } from './read-models/read-models.js';
export { ReadModelsConsumer, readModelCollections } from './read-models/read-models-consumer.js';
export type { OnProgress } from './rebuild/filling.js';
export { Rebuild } from './rebuild/rebuild.js';
export {
  collectionName,
  LIVE_COLLECTIONS,
  type LiveCollection,
  liveCollectionsOf,
  StoredLiveCollections,
} from './stored-live-collections.js';
