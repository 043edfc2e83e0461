import { type DeindexRequestId, projection } from '#kernel';
import { BY_TIME, DASHBOARD_READ_MODELS, type DocumentByTime, documentByTime } from '#projections';
import type { DeindexRequestEvent } from '../domain/deindex-request.events.js';

export type DeindexRequestOfCreator = DocumentByTime<DeindexRequestId>;

/** Which deindex requests a creator has had. The stream of each request has its state. */
export const deindexRequestsOfCreatorsProjection = projection<DeindexRequestOfCreator, DeindexRequestEvent>({
  name: 'deindex_requests_of_creators',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [BY_TIME],
  on: {
    'deindexRequest.requested.v1': {
      documents: ({ data }) => data.requestId,
      fold: (_, { data: { requestId, creatorId }, metadata }) => documentByTime(requestId, creatorId, metadata.at),
    },
  },
});
