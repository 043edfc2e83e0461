export { ObserveDeindexRequest } from './application/observe-deindex-request.js';
export { RequestDeindex } from './application/request-deindex.js';
export { SearchProvider } from './application/search-provider.js';
export { deindexingContext } from './deindexing.context.js';
export { DeindexingOptions } from './deindexing.options.js';
export type { DeindexRequestEvent } from './domain/deindex-request.events.js';
export type { DeindexOrder, DeindexSubmission } from './domain/deindex-submission.js';
export type { DeindexAnnouncement } from './published/announcements.js';
export { type PublicDeindexRequest, publicDeindexRequest } from './published/public-deindex-request.js';
