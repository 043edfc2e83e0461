import { instantIn } from '#event-feed';
import { type FoundDeliveries, publicAttempt, publicDelivery, type ShownDelivery } from '#webhooks';
import type { DeliveryAnswer } from './deliveries.dto.js';

export const listedDelivery = (delivery: FoundDeliveries['deliveries'][number]) => ({
  ...publicDelivery(delivery),
  creator_id: delivery.creatorId,
  created_at: instantIn(delivery.eventId),
});

export const shownDelivery = ({ delivery, attempts, event, headers }: ShownDelivery): DeliveryAnswer => ({
  id: delivery.deliveryId,
  endpoint_id: delivery.endpointId,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  creator_id: delivery.creatorId,
  status: delivery.status,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  next_attempt_at: delivery.status === 'pending' ? delivery.dueAt : null,
  created_at: instantIn(delivery.eventId),
  bytes: event.kind === 'visible' ? event.bytes : '',
  withheld: event.kind === 'visible' ? null : event.kind,
  headers: headers ?? {},
  attempts: attempts.map(publicAttempt),
});
