import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import { asText, OneOf, Optional, rule, Text } from '#http';
import { idFilter } from '#kernel';
import { DELIVERY_STATUSES, type DeliverySearch, type DeliveryStatus } from '#webhooks';

export const MAX_ID_LENGTH = 40;
const MAX_ANSWER_LENGTH = 40;

/** Epoch milliseconds in a query. */
const Time = () =>
  rule(
    { type: 'string', pattern: '^\\d{1,15}$' },
    asText((text) => (/^\d{1,15}$/.test(text) ? undefined : 'must be epoch milliseconds')),
  );

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

export class DeliveryTabFilters extends DeliveryFilters {
  @Optional()
  @OneOf('all', 'undelivered')
  tab?: 'all' | 'undelivered';
}

export const eventFilter = ({ type, creator, from, to }: DeliveryFilters) => ({
  eventType: type,
  creatorId: idFilter('creator', 'creator', creator),
  from: from === undefined ? undefined : Number(from),
  to: to === undefined ? undefined : Number(to),
});

export const deliveryFilter = (filters: DeliveryTabFilters): DeliverySearch => ({
  ...eventFilter(filters),
  endpointId: idFilter('endpoint', 'webhookEndpoint', filters.endpoint),
  status: filters.status,
  answer: filters.answer?.toLowerCase(),
  eventId: idFilter('event', 'event', filters.event),
  undelivered: filters.tab === 'undelivered' ? true : undefined,
});
