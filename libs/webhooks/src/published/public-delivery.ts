import { type Instant, NEVER } from '#kernel';
import type { SendResult } from '../domain/send-result.js';
import type { DeliveryDocument } from '../read-models/delivery-list.js';

/** A delivery in a list. */
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
}: SendResult & { readonly recordedAt: Instant }) => ({
  sent_at: sentAt ?? recordedAt,
  ms: ms ?? null,
  status,
  error,
});
