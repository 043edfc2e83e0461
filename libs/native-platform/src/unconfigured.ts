import type { SearchProvider } from '#deindexing';
import { DomainError, type ErrorCode } from '#kernel';
import type { ScanEngine } from '#scans';
import type { PlatformClient } from './platform-client.js';

const rejectWith = (code: ErrorCode) => () => Promise.reject(new DomainError(code));

const noPlatform = rejectWith('agency_verification_unavailable');
const noProvider = rejectWith('svc_engine_not_configured');

/** Used when no platform is configured (D19). */
export const unconfiguredPlatform: PlatformClient = {
  getAgency: noPlatform,
  getCapacity: noPlatform,
  listPaymentMethods: noPlatform,
  createBillingSession: noPlatform,
  listRoster: noPlatform,
  getCreator: noPlatform,
  updateIdentity: noPlatform,
  invite: noPlatform,
  findInvitation: noPlatform,
  getInvitation: noPlatform,
  withdrawInvitation: noPlatform,
  resendInvitation: noPlatform,
  listSlots: noPlatform,
  occupySlot: noPlatform,
  releaseSlot: noPlatform,
  listLeaks: noPlatform,
  listImpersonations: noPlatform,
  reportImpersonation: noPlatform,
  listActivity: noPlatform,
};

export const unconfiguredEngine: ScanEngine = {
  configured: false,
  dispatch: noProvider,
  findJob: noProvider,
  getJob: noProvider,
};

export const unconfiguredSearch: SearchProvider = {
  configured: false,
  submit: noProvider,
  find: noProvider,
};
