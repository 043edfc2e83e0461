import { listActivity } from './activity.js';
import { type Answer, errorAnswer } from './answer.js';
import { findDeindexSubmission, submitDeindex } from './deindexing.js';
import { listImpersonations, reportImpersonation } from './impersonations.js';
import { findInvitation, getInvitation, invite, resendInvitation, withdrawInvitation } from './invitations.js';
import { listLeaks } from './leaks.js';
import { getNativeCreator, listRoster, updateIdentity } from './roster.js';
import { dispatchScan, findScanJob, getScanJob } from './scan-jobs.js';
import { getAgency, getCapacity, listSlots, occupySlot, releaseSlot } from './slots.js';
import type { Call } from './strict-request.js';
import type { World } from './world.js';

/** The contract lets a platform show no payment methods. */
const notOffered = (): Answer => errorAnswer(404, 'not_offered');

/** Every operation of the contract, by its operationId. */
export const operations: Record<string, (world: World, call: Call) => Answer> = {
  getAgency,
  getCapacity,
  listPaymentMethods: notOffered,
  createBillingSession: notOffered,
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
