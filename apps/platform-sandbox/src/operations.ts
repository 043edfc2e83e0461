import { dispatchScan, findScanJob, getScanJob } from './engine/scan-jobs.js';
import type { Operation } from './operation.js';
import { listActivity } from './platform/activity.js';
import { getAgency, getCapacity } from './platform/agencies.js';
import { createBillingSession, listPaymentMethods } from './platform/billing.js';
import { updateIdentity } from './platform/identity.js';
import { listImpersonations, reportImpersonation } from './platform/impersonations.js';
import { findInvitation, getInvitation, invite, resendInvitation, withdrawInvitation } from './platform/invitations.js';
import { listLeaks } from './platform/leaks.js';
import { getNativeCreator, listRoster } from './platform/roster.js';
import { listSlots, occupySlot, releaseSlot } from './platform/slots.js';
import { findDeindexSubmission, submitDeindex } from './search/deindex-submissions.js';

/** By the contract's operationId. */
export const operations: Readonly<Record<string, Operation>> = {
  getAgency,
  getCapacity,
  listPaymentMethods,
  createBillingSession,
  listSlots,
  occupySlot,
  releaseSlot,
  listRoster,
  getNativeCreator,
  updateIdentity,
  invite,
  findInvitation,
  getInvitation,
  withdrawInvitation,
  resendInvitation,
  listLeaks,
  listImpersonations,
  reportImpersonation,
  listActivity,
  dispatchScan,
  findScanJob,
  getScanJob,
  submitDeindex,
  findDeindexSubmission,
};
