import { instantIn, type ShownEvent } from '#event-feed';
import type { FoundDeliveries } from '#webhooks';
import { listedDelivery, shownBytes } from '../deliveries/shown-delivery.js';
import type { EventAnswer } from './answers.js';

type Identified = Pick<ShownEvent, 'eventId' | 'eventType' | 'creatorId'>;

export const listedEvent = ({ eventId, eventType, creatorId }: Identified) => ({
  id: eventId,
  type: eventType,
  creator_id: creatorId,
  created_at: instantIn(eventId),
});

export const shownEvent = (event: ShownEvent, { deliveries }: FoundDeliveries): EventAnswer => {
  const { visibility, cause } = event;
  return {
    ...listedEvent(event),
    published_at: event.publishedAt,
    ...shownBytes(visibility),
    cause: cause === undefined ? null : causeShown(cause),
    deliveries: deliveries.map(listedDelivery),
  };
};

const causeShown = ({ id, type, stream, metadata }: NonNullable<ShownEvent['cause']>) => ({
  event_id: id,
  type,
  stream,
  at: metadata.at,
  actor: metadata.actor,
  request_id: metadata.correlationId,
});
