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
export { clientAddressOf } from './client-address.js';
export { cursorParam } from './cursor-param.js';
export { DtoPipe } from './dto.pipe.js';
export { ErrorFilter, sendError } from './error.filter.js';
export { ERROR_CATALOGUE } from './error-catalogue.js';
export { errorBody, unreadable } from './error-response.js';
export { joined } from './field-errors.js';
export { idParam } from './id-param.js';
export { acceptJson, hasBody } from './json-body.js';
export { MAX_DEPTH } from './json-object.js';
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
export { DEFAULT_PAGE_SIZE, EmptyBody, MAX_PAGE_SIZE, PageQuery } from './page.query.js';
export { publicAddress, publicPath } from './public-address.js';
export { problemsOf, RepeatableBody } from './repeatable-body.js';
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
export { refuseUnknownInput } from './unknown-input.js';
export { MonthText, UsageQuery } from './usage.query.js';
