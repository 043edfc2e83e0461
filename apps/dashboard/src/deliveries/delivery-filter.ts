import { type Branded, type IdKind, invalidRequest, parseId } from '#kernel';
import type { DeliveryFilter } from '#webhooks';
import type { DeliveryFilters } from './deliveries.dto.js';

export const deliveryFilter = (filters: DeliveryFilters): DeliveryFilter => ({
  endpointId: idOf('endpoint', 'webhookEndpoint', filters.endpoint),
  eventType: filters.type,
  status: filters.status,
  answer: filters.answer,
  creatorId: idOf('creator', 'creator', filters.creator),
  eventId: idOf('event', 'event', filters.event),
  from: filters.from === undefined ? undefined : Number(filters.from),
  to: filters.to === undefined ? undefined : Number(filters.to),
});

const idOf = <Kind extends IdKind>(field: string, kind: Kind, text: string | undefined): Branded<Kind> | undefined => {
  if (text === undefined) return undefined;
  const id = parseId(kind, text);
  if (id === undefined) throw invalidRequest({ field, message: `must be the id of one ${field}` });
  return id;
};
