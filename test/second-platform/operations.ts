import {
  createBillingSession,
  getAgency,
  getCapacity,
  getNativeCreator,
  listPaymentMethods,
  listRoster,
  listSlots,
  occupySlot,
  releaseSlot,
  updateIdentity,
} from './agencies.js';
import type { Answer } from './answer.js';
import { listActivity, listImpersonations, listLeaks, reportImpersonation } from './findings.js';
import { findInvitation, getInvitation, invite, resendInvitation, withdrawInvitation } from './invitations.js';
import { dispatchScan, findDeindexSubmission, findScanJob, getScanJob, submitDeindex } from './outbound-calls.js';
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
