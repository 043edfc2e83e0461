export { type CaseDocument, CaseList, caseListProjection } from './cases/case-list.js';
export { type DueKind, dueWorkProjection } from './due-work/due-work.js';
export { EventFeed, type FeedEntry, feedIndexProjection } from './event-feed/feed-index.js';
export { type KeyDocument, KeyList, keyListProjection } from './keys/key-list.js';
export { ReadModel } from './read-model.js';
export { ALL_PROJECTIONS, READ_MODELS, ReadModelsConsumer, readModelCollections } from './read-models-consumer.js';
export { type ScanJobDocument, ScanJobs, scanJobsProjection } from './scan-jobs/scan-jobs.js';
export { StoredSyncMarks, SYNC_MARKS } from './sync-marks.js';
