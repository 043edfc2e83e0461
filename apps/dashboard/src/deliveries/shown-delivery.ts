import { instantIn } from '#event-feed';
import { type FoundDeliveries, publicAttempt, publicDelivery, type ShownDelivery } from '#webhooks';
import type { DeliveryAnswer } from './answers.js';

export const listedDelivery = (delivery: FoundDeliveries['deliveries'][number]) => ({
  ...publicDelivery(delivery),
  creator_id: delivery.creatorId,
  created_at: instantIn(delivery.eventId),
});

/** The bytes of an event, or why they may not be seen. */
export const shownBytes = (event: ShownDelivery['event']) =>
  event.kind === 'visible' ? { bytes: event.bytes, withheld: null } : { bytes: '', withheld: event.kind };

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
  ...shownBytes(event),
  headers: headers ?? {},
  attempts: attempts.map(publicAttempt),
});
