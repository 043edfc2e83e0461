export {
  type ComparedReadModel,
  type DocumentDifference,
  ReadModelComparison,
  VersionMismatch,
} from './comparison.js';
export { ReadModelsConsumer, readModelCollections } from './consumer/read-models-consumer.js';
export {
  type DeadLetterDocument,
  DeadLetterList,
  deadLetterProjection,
  MAX_COUNTED_DEAD_LETTERS,
  RunnerHealth,
  requireComplete,
} from './dead-letters/dead-letter-list.js';
export { boundedSearch } from './engine/bounded-search.js';
export { ProjectionEngine } from './engine/projection-engine.js';
export {
  byRunner,
  DASHBOARD_READ_MODELS,
  laneOfReadModels,
  READ_MODELS,
  readModelsPassed,
} from './engine/read-models-runner.js';
export { ProjectionCatalogue, type ReadModelStatus, ReadModelTools } from './read-model-tools.js';
export { ReadModel, ReadModels, readModelProvider } from './read-models/read-models.js';
export { Rebuild } from './rebuild/rebuild.js';
export type { OnProgress } from './rebuild/write-buffer.js';
export {
  collectionName,
  LIVE_COLLECTIONS,
  type LiveCollection,
  liveCollectionsOf,
  StoredLiveCollections,
} from './stored-live-collections.js';
