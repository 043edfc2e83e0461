import { type Instant, NEVER } from '#kernel';
import type { SendResult } from '../domain/send-result.js';
import type { RequestedReplay } from '../domain/webhook-replay.js';
import type { DeliveryDocument } from '../read-models/delivery-list.js';
import type { ShownEndpoint } from '../read-models/endpoint-health.js';
import type { ListedEndpoint } from '../read-models/endpoint-list.js';
import type { DisabledSpan } from '../read-models/missed-events.js';

export const publicEndpoint = ({ id, url, types, status, disabledBecause, createdAt }: ListedEndpoint) => ({
  id,
  url,
  types,
  status,
  disabled_reason: disabledBecause,
  created_at: createdAt,
});

export const publicHealth = ({ health, disablesAt }: ShownEndpoint) => ({
  success_rate: health.successRate,
  latency_ms: health.latency,
  pending: health.pending,
  last_failure_at: health.lastFailureAt,
  disables_at: disablesAt,
});

export const publicDisabledSpan = ({ endpointId, ...span }: DisabledSpan) => ({ endpoint_id: endpointId, ...span });

export const publicDelivery = (delivery: DeliveryDocument) => ({
  id: delivery.id,
  endpoint_id: delivery.endpointId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  status: delivery.status,
  attempts: delivery.attempts,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  next_attempt_at: delivery.status === 'pending' && delivery.at < NEVER ? delivery.at : null,
});

/** One attempt of a delivery. Of builds up to 0.8, only the time of its recording is known. */
export const publicAttempt = ({
  sentAt,
  recordedAt,
  ms,
  status,
  error,
}: SendResult & { readonly recordedAt: Instant }) => ({ sent_at: sentAt ?? recordedAt, ms: ms ?? null, status, error });

/** A replay as people see it, by the id of its endpoint. */
export const publicReplay = (replay: RequestedReplay) => ({
  id: replay.endpointId,
  status: replay.status,
  reason: replay.reason,
  total: replay.total.count,
  total_is_more: replay.total.isMore,
  replayed: replay.replayed,
  requested_at: replay.requestedAt,
  ended_at: replay.endedAt,
});
