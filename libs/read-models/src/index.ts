export { type CaseDocument, CaseList, caseListProjection } from './cases/case-list.js';
export { DUE_KINDS, type DueKind, dueWorkProjection } from './due-work/due-work.js';
export { EventFeed, type FeedEntry, feedIndexProjection } from './event-feed/feed-index.js';
export {
  type ImpersonationDocument,
  ImpersonationList,
  impersonationListProjection,
} from './impersonations/impersonation-list.js';
export { type KeyDocument, KeyList, keyListProjection } from './keys/key-list.js';
export { ReadModel } from './read-model.js';
export { ALL_PROJECTIONS, READ_MODELS, ReadModelsConsumer, readModelCollections } from './read-models-consumer.js';
export { type ScanJobDocument, ScanJobs, scanJobsProjection } from './scan-jobs/scan-jobs.js';
export { StoredSyncMarks, SYNC_MARKS } from './sync-marks.js';
export { type UsageFigures, UsageReader } from './usage/usage-figures.js';
export { usageMonthsProjection } from './usage/usage-months.js';
export { usageOpeningsProjection } from './usage/usage-openings.js';
