import { type Command, Option } from 'commander';
import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import { idFilter } from '#kernel';
import { DELIVERY_STATUSES, type DeliverySearch, type DeliveryStatus } from '#webhooks';
import { instantOf } from './time-option.js';

export interface DeliveryFilterOptions {
  readonly type?: PublicEventType;
  readonly status?: DeliveryStatus;
  readonly answer?: string;
  readonly creator?: string;
  readonly event?: string;
  readonly from?: string;
  readonly to?: string;
  readonly undelivered?: true;
}

/** The filters of the dashboard's page Deliveries. */
export const withDeliveryFilters = (command: Command): Command =>
  command
    .addOption(new Option('--type <type>', 'the event type').choices(PUBLIC_EVENT_TYPES))
    .addOption(new Option('--status <status>').choices(DELIVERY_STATUSES))
    .option('--answer <answer>', 'the status of the last answer, such as 503, or the error, such as timeout')
    .option('--creator <crt_id>', 'of one creator')
    .option('--event <evt_id>', 'of one event')
    .option('--from <time>', 'of events since then, as ISO 8601 or epoch milliseconds')
    .option('--to <time>', 'of events until then; default: now')
    .option('--undelivered', 'pending and failed ones of active endpoints; a replay leaves pending ones as they are');

export const deliveryFilterOf = ({
  type,
  status,
  answer,
  creator,
  event,
  from,
  to,
  undelivered,
}: DeliveryFilterOptions): DeliverySearch => ({
  eventType: type,
  status,
  answer,
  creatorId: idFilter('creator', 'creator', creator),
  eventId: idFilter('event', 'event', event),
  from: from === undefined ? undefined : instantOf('from', from),
  to: to === undefined ? undefined : instantOf('to', to),
  undelivered,
});
