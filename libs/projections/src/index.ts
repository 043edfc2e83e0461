export { GetReadModelStatus, type StatusReport } from './application/get-read-model-status.js';
export { GetRunnerStatus } from './application/get-runner-status.js';
export { RebuildReadModels } from './application/rebuild-read-models.js';
export { RetrySetAsides } from './application/retry-set-asides.js';
export * from './comparison.js';
export {
  BY_CREATOR,
  type DocumentOfCreator,
  ListByCreator,
  type ListPage,
  type ListPageQuery,
} from './engine/list-by-creator.js';
export * from './engine/projection-engine.js';
export * from './engine/read-model.js';
export * from './engine/read-models-runner.js';
export * from './projection-catalogue.js';
export type { ReadModelStatus } from './read-model-status.js';
export * from './read-models/read-models.js';
export * from './read-models/read-models-consumer.js';
export * from './read-models/read-models-passed.js';
export * from './rebuild/rebuild.js';
export * from './rebuild/rebuild-asides.js';
export * from './rebuild/rebuild-lock.js';
export * from './rebuild/rebuild-targets.js';
export * from './set-asides/require-complete.js';
export * from './set-asides/set-aside-list.js';
export * from './stored-live-collections.js';
