export type { Answer, ApiCall } from './api-call.js';
export { CreatorProtection } from './client.js';
export { ApiError, ConnectionError, CreatorProtectionError, isApiError, TimeoutError } from './errors.js';
export type { Follower, FollowOptions } from './events/follower.js';
export { type AnyEvent, isKnownEvent, type KnownEvent, type UnknownEvent } from './events/known-event.js';
export type { List, Page } from './list.js';
export type { CallOptions, ClientOptions, FetchLike, IdempotentCallOptions, ListOptions, Retry } from './options.js';
export type { Report, ReportRow } from './report.js';
export type * from './types.js';
