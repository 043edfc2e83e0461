import { type Command, Option } from 'commander';
import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import type { CreatorId, Instant, PublicEventId } from '#kernel';
import { DELIVERY_STATUSES, type DeliverySearch, type DeliveryStatus } from '#webhooks';
import { asInstant, idOption } from './arguments.js';

export interface DeliveryFilterOptions {
  readonly type?: PublicEventType;
  readonly status?: DeliveryStatus;
  readonly answer?: string;
  readonly creator?: CreatorId;
  readonly event?: PublicEventId;
  readonly from?: Instant;
  readonly to?: Instant;
  readonly undelivered?: true;
}

/** The filters of the dashboard's page Deliveries. */
export const withDeliveryFilters = (command: Command): Command =>
  command
    .addOption(new Option('--type <type>', 'the event type').choices(PUBLIC_EVENT_TYPES))
    .addOption(new Option('--status <status>').choices(DELIVERY_STATUSES))
    .option('--answer <answer>', 'the status of the last answer, such as 503, or the error, such as timeout')
    .option('--creator <crt_id>', 'of one creator', idOption('creator', 'creator'))
    .option('--event <evt_id>', 'of one event', idOption('event', 'event'))
    .option('--from <time>', 'of events since then, as ISO 8601 or epoch milliseconds', asInstant)
    .option('--to <time>', 'of events until then; default: now', asInstant)
    .option('--undelivered', 'pending and failed ones of active endpoints; a replay leaves pending ones as they are');

export const deliveryFilterOf = (options: DeliveryFilterOptions): DeliverySearch => {
  const { type: eventType, status, answer, creator: creatorId, event: eventId, from, to, undelivered } = options;
  return { eventType, status, answer, creatorId, eventId, from, to, undelivered };
};
