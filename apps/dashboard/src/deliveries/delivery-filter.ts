import type { DeliveryFilter } from '#webhooks';
import { idFilter, timeFilter } from '../id-filter.js';
import type { DeliveryTabFilters } from './deliveries.dto.js';

export const deliveryFilter = (filters: DeliveryTabFilters): DeliveryFilter => ({
  endpointId: idFilter('endpoint', 'webhookEndpoint', filters.endpoint),
  eventType: filters.type,
  status: filters.status,
  answer: filters.answer,
  creatorId: idFilter('creator', 'creator', filters.creator),
  eventId: idFilter('event', 'event', filters.event),
  from: timeFilter(filters.from),
  to: timeFilter(filters.to),
  undelivered: filters.tab === 'undelivered' ? true : undefined,
});
