import { BY_TIME, type DocumentByTime, documentByTime } from '#creators';
import { type CaseId, type DeindexRequestId, projection } from '#kernel';
import { DASHBOARD_READ_MODELS } from '#projections';
import type { DeindexRequestEvent } from '../domain/deindex-request.events.js';

export interface DeindexRequestOfCreator extends DocumentByTime<DeindexRequestId> {
  readonly caseId: CaseId;
}

export const deindexRequestsOfCreatorsProjection = projection<DeindexRequestOfCreator, DeindexRequestEvent>({
  name: 'deindex_requests_of_creators',
  version: 2,
  runner: DASHBOARD_READ_MODELS,
  indexes: [BY_TIME, { name: 'case', fields: ['caseId', 'order'] }],
  on: {
    'deindexRequest.requested.v1': {
      documents: ({ data }) => data.requestId,
      fold: (_, { data: { requestId, creatorId, caseId }, metadata }) => ({
        ...documentByTime(requestId, creatorId, metadata.at),
        caseId,
      }),
    },
  },
});
