export { claimAt } from './people/claims.js';
export { actorOf, personOf } from './people/person.js';
export {
  mayBeOf,
  RIGHTS_OF,
  type Right,
  type Role,
  roleIn,
  roleOfStaff,
} from './people/rights.js';
export { CallCounts, type CallsOfKey } from './requests/call-counts.js';
export { refusedGroups } from './requests/grouped.js';
export { publicRefusedRequest, REFUSED_KEPT } from './requests/refused-request.js';
export { RefusedRequests } from './requests/refused-requests.js';
export { REQUEST_LOG_COLLECTIONS, RequestLog } from './requests/request-log.js';
export { claimsState, endOf, isRenewing, startRenewal } from './sessions/session.js';
export { type ClaimSource, type ProviderTokens, SessionKeys, SessionSecret } from './sessions/session-secret.js';
export { DASHBOARD_SESSIONS, type OpenSession, Sessions } from './sessions/sessions.js';
