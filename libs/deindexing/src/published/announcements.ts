import { isDeepStrictEqual } from 'node:util';
import { type AnnouncedStreams, announcesNothing, type PublicAnnouncement, type RecordedEvent } from '#kernel';
import type { DeindexRequestEvent } from '../domain/deindex-request.events.js';
import { type DeindexRequest, deindexRequestDecider } from '../domain/deindex-request.js';

export type DeindexAnnouncement = PublicAnnouncement<'deindex.status_changed'>;

const shownStatus = (request: DeindexRequest) => {
  if (request.status === 'unknown') return undefined;
  const { status, submittedToProvider, removalVerified } = request;
  return { status, submitted_to_provider: submittedToProvider, removal_verified: removalVerified };
};

/** D51: a change of a flag alone also counts as a change of status. */
const statusChanged = (
  before: DeindexRequest,
  after: DeindexRequest,
  { data: { requestId, caseId, creatorId } }: RecordedEvent<DeindexRequestEvent>,
): DeindexAnnouncement[] => {
  const [known, shown] = [shownStatus(before), shownStatus(after)];
  if (known === undefined || isDeepStrictEqual(known, shown)) return [];
  const data = { deindex_request_id: requestId, case_id: caseId, ...shown };
  return [{ type: 'deindex.status_changed', creatorId, data }];
};

export const deindexAnnouncements: AnnouncedStreams<DeindexRequest, DeindexRequestEvent, DeindexAnnouncement> = {
  decider: deindexRequestDecider,
  rows: {
    'deindexRequest.requested.v1': announcesNothing,
    'deindexRequest.dispatchStarted.v1': statusChanged,
    'deindexRequest.outcomeLost.v1': statusChanged,
    'deindexRequest.accepted.v1': statusChanged,
    'deindexRequest.submitted.v1': statusChanged,
    'deindexRequest.completed.v1': statusChanged,
    'deindexRequest.rejected.v1': statusChanged,
    'deindexRequest.failed.v1': statusChanged,
    'deindexRequest.cancelled.v1': statusChanged,
  },
};
