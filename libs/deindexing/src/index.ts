export { DeindexingOptions, SearchProvider } from './application/ports.js';
export {
  LatestDeindexRequests,
  ListDeindexRequests,
  ObserveDeindexRequest,
} from './application/read-deindex-requests.js';
export { RequestDeindex } from './application/request-deindex.js';
export { deindexingContext } from './deindexing.context.js';
export type { DeindexCall, DeindexRequestEvent, DeindexSubmission } from './domain/deindex-request.events.js';
export type { DeindexAnnouncement } from './published/announcements.js';
export { type PublicDeindexRequest, publicDeindexRequest } from './published/public-deindex-request.js';
