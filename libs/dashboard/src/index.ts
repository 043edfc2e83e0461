export { DASHBOARD_PEOPLE, NamedPeople } from './people/named-people.js';
export { actorOf, personOf } from './people/person.js';
export {
  mayBeOf,
  RIGHTS_OF,
  type Right,
  type Role,
  roleIn,
  roleOfStaff,
} from './people/rights.js';
export { ClaimsRenewal } from './provider/claims-renewal.js';
export { IdentityProvider, type LoginChecks, ProviderOptions } from './provider/identity-provider.js';
export { LoginFailure, type LoginProblem } from './provider/login-failure.js';
export { CallCounts, type CallsOfKey } from './requests/call-counts.js';
export {
  publicRefusedRequest,
  REFUSED_KEPT,
  type RefusedRequest,
  RefusedRequests,
  refusedGroups,
} from './requests/refused-requests.js';
export { remedyOf } from './requests/remedies.js';
export { REQUEST_LOG_COLLECTIONS, RequestLog } from './requests/request-log.js';
export { endOf } from './sessions/session.js';
export { SessionKeys, SessionSecret } from './sessions/session-secret.js';
export { DASHBOARD_SESSIONS, type OpenSession, Sessions } from './sessions/sessions.js';
