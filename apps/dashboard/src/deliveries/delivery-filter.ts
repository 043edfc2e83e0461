import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import { OneOf, Optional, Text } from '#http';
import { idFilter } from '#kernel';
import { DELIVERY_STATUSES, type DeliverySearch, type DeliveryStatus } from '#webhooks';
import { Time, timeFilter } from '../time.rule.js';

const MAX_ID_LENGTH = 40;
const MAX_ANSWER_LENGTH = 40;

/** The filters of the list. */
export class DeliveryFilters {
  @Optional()
  @Text(MAX_ID_LENGTH)
  endpoint?: string;

  @Optional()
  @OneOf(...PUBLIC_EVENT_TYPES)
  type?: PublicEventType;

  @Optional()
  @OneOf(...DELIVERY_STATUSES)
  status?: DeliveryStatus;

  /** The status of the last answer, or the class of the error. */
  @Optional()
  @Text(MAX_ANSWER_LENGTH)
  answer?: string;

  @Optional()
  @Text(MAX_ID_LENGTH)
  creator?: string;

  @Optional()
  @Text(MAX_ID_LENGTH)
  event?: string;

  @Optional()
  @Time()
  from?: string;

  @Optional()
  @Time()
  to?: string;
}

/** The filters on one of the tabs. */
export class DeliveryTabFilters extends DeliveryFilters {
  @Optional()
  @OneOf('all', 'undelivered')
  tab?: 'all' | 'undelivered';
}

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
