import { idFilter } from '#kernel';
import type { DeliverySearch } from '#webhooks';
import { timeFilter } from '../time.rule.js';
import type { DeliveryTabFilters } from './deliveries.dto.js';

export const deliveryFilter = (filters: DeliveryTabFilters): DeliverySearch => ({
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
