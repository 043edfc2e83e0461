export { CaseList, caseListProjection } from './cases/case-list.js';
export { DUE_KINDS, dueWorkProjection } from './due-work/due-work.js';
export { ImpersonationList, impersonationListProjection } from './impersonations/impersonation-list.js';
export { KeyList, keyListProjection } from './keys/key-list.js';
export { ReadModel } from './read-model.js';
export { ALL_PROJECTIONS, READ_MODELS, ReadModelsConsumer, readModelCollections } from './read-models-consumer.js';
export { ScanJobs, scanJobsProjection } from './scan-jobs/scan-jobs.js';
export { StoredSyncMarks, SYNC_MARKS } from './sync-marks.js';
export { type UsageFigures, UsageReader } from './usage/usage-figures.js';
export { usageMonthsProjection } from './usage/usage-months.js';
export { usageOpeningsProjection } from './usage/usage-openings.js';
export {
  DELIVERY_STATUSES,
  type DeliveryDocument,
  DeliveryList,
  type DeliveryStatus,
  deliveryListProjection,
} from './webhooks/delivery-list.js';
export { EndpointList, endpointListProjection } from './webhooks/endpoint-list.js';
