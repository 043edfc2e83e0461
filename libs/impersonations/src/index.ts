export {
  ImpersonationSynchronization,
  SynchronizeImpersonations,
} from './application/impersonation-synchronization.js';
export { type ImpersonationPage, ImpersonationPlatform, ImpersonationsOptions } from './application/ports.js';
export { ReportImpersonation } from './application/report-impersonation.js';
export { type ImpersonationEvent, type NativeImpersonation, openImpersonation } from './domain/impersonation.js';
export { impersonationUrlProblem, MAX_IMPERSONATION_URL_LENGTH } from './domain/impersonation-report.js';
export { impersonationsContext } from './impersonations.context.js';
export type { ImpersonationAnnouncement } from './published/announcements.js';
export { type PublicImpersonation, publicImpersonation } from './published/public-impersonation.js';
export { ListImpersonations } from './read-models/impersonation-list.js';
