export { CaseAccess } from './application/case-access.js';
export { CaseSynchronization, SynchronizeCases } from './application/case-synchronization.js';
export { FetchActivity } from './application/fetch-activity.js';
export {
  type ActivityPage,
  ActivityPlatform,
  FindScansOfJobs,
  ImpersonationWalk,
  type LeakPage,
  LeakPlatform,
  type ScanOfJob,
} from './application/ports.js';
export { casesContext } from './cases.context.js';
export { CasesOptions } from './cases.options.js';
export {
  type CaseEvent,
  type CaseState,
  caseDecider,
  caseIdOf,
  type KnownCase,
  type NativeLeak,
  observeLeak,
  observeRemoval,
} from './domain/case.js';
export type { CaseAnnouncement } from './published/announcements.js';
export { type PublicActivity, publicActivity } from './published/public-activity.js';
export { caseReport, type PublicCase, publicCase } from './published/public-case.js';
export { CaseList, caseListProjection, ListCases } from './read-models/case-list.js';
export { CasesOfCreators } from './read-models/cases-of-creators.js';
