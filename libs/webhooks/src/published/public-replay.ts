import type { RequestedReplay } from '../domain/webhook-replay.js';

/** A replay as people see it, by the id of its endpoint. */
export const publicReplay = (replay: RequestedReplay) => ({
  id: replay.endpointId,
  status: replay.status,
  reason: replay.status === 'ended' ? replay.reason : null,
  total: replay.total.count,
  total_is_more: replay.total.isMore,
  replayed: replay.replayed,
  requested_at: replay.requestedAt,
  ended_at: replay.status === 'ended' ? replay.endedAt : null,
});
