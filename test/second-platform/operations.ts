import { listActivity } from './activity.js';
import type { Answer } from './answer.js';
import { createBillingSession, listPaymentMethods } from './billing.js';
import { findDeindexSubmission, submitDeindex } from './deindexing.js';
import { listImpersonations, reportImpersonation } from './impersonations.js';
import { findInvitation, getInvitation, invite, resendInvitation, withdrawInvitation } from './invitations.js';
import { listLeaks } from './leaks.js';
import { getNativeCreator, listRoster, updateIdentity } from './roster.js';
import { dispatchScan, findScanJob, getScanJob } from './scan-jobs.js';
import { getAgency, getCapacity, listSlots, occupySlot, releaseSlot } from './slots.js';
import type { Call } from './strict-request.js';
import type { World } from './world.js';

/** Every operation of the contract, by its operationId. */
export const operations: Record<string, (world: World, call: Call) => Answer> = {
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
