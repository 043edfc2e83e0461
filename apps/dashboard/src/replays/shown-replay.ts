import type { RequestedReplay } from '#webhooks';
import type { ReplayAnswer } from './replays.dto.js';

export const shownReplay = (replay: RequestedReplay): ReplayAnswer => ({
  id: replay.endpointId,
  endpoint_id: replay.endpointId,
  status: replay.status,
  reason: replay.status === 'ended' ? replay.reason : null,
  total: replay.total.count,
  total_is_more: replay.total.isMore,
  replayed: replay.replayed,
  requested_at: replay.requestedAt,
  ended_at: replay.status === 'ended' ? replay.endedAt : null,
});
