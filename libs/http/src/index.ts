export { acceptsHtml, namesHtml } from './accepts-html.js';
export {
  type Access,
  type AccessedRequest,
  Caller,
  GuardedApart,
  PUBLIC_ROUTE,
  Public,
  type PublicRoute,
  REQUIRED_SCOPES,
  RequireScopes,
} from './access.js';
export { clientAddressOf, publicAddress, publicPath } from './client-address.js';
export { DtoPipe, joined, problemsOf, RepeatableBody } from './dto.pipe.js';
export { ErrorFilter, errorBody, sendError, unreadable } from './error.filter.js';
export { ERROR_CATALOGUE } from './error-catalogue.js';
export { acceptJson, hasBody } from './json-body.js';
export { MAX_DEPTH, refuseUnknownInput } from './json-object.js';
export {
  always,
  amount,
  cents,
  count,
  described,
  flag,
  idOf,
  instant,
  isoTime,
  type JsonSchema,
  knownOf,
  listOf,
  live,
  type Members,
  objectOf,
  oneOf,
  orNull,
  pageOf,
  ref,
  text,
} from './json-schema.js';
export { LookupAllowance, MAX_LOOKUPS_PER_SECOND } from './lookup-allowance.js';
export {
  cursorParam,
  DEFAULT_PAGE_SIZE,
  EmptyBody,
  idParam,
  MAX_PAGE_SIZE,
  MonthText,
  PageQuery,
  UsageQuery,
} from './page.query.js';
export {
  Aliases,
  asText,
  Cursor,
  Described,
  Email,
  OneOf,
  Optional,
  PageSize,
  ProfileUrls,
  rule,
  Text,
  UserIdText,
} from './rules.js';
export { refuseStandIns, requireReadable } from './stand-ins.js';
