import { type Command, Option } from 'commander';
import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import { type CreatorId, type Instant, invalidRequest, type PublicEventId, type WebhookEndpointId } from '#kernel';
import {
  DELIVERY_STATUSES,
  type DeliverySearch,
  type DeliveryStatus,
  EndReplay,
  GetReplay,
  publicDelivery,
  publicReplay,
  RequestReplay,
  readsFeedIndex,
  SearchDeliveries,
} from '#webhooks';
import { asInstant, endpointOf, idOption, type OfAgency, withAgency } from './arguments.js';
import { type Operator, operatorContext } from './operator.js';
import type { Register } from './register.js';

interface DeliveryFilterOptions {
  readonly type?: PublicEventType;
  readonly status?: DeliveryStatus;
  readonly answer?: string;
  readonly creator?: CreatorId;
  readonly event?: PublicEventId;
  readonly from?: Instant;
  readonly to?: Instant;
  readonly undelivered?: true;
}

/** The filters of the dashboard's Deliveries page. */
const withDeliveryFilters = (command: Command): Command =>
  command
    .addOption(new Option('--type <type>', 'the event type').choices(PUBLIC_EVENT_TYPES))
    .addOption(new Option('--status <status>').choices(DELIVERY_STATUSES))
    .option('--answer <answer>', 'the status of the last answer, such as 503, or the error, such as timeout')
    .option('--creator <crt_id>', 'of one creator', idOption('creator', 'creator'))
    .option('--event <evt_id>', 'of one event', idOption('event', 'event'))
    .option('--from <time>', 'of events since then, as ISO 8601 or epoch milliseconds', asInstant)
    .option('--to <time>', 'of events until then; default: now', asInstant)
    .option(
      '--undelivered',
      'pending and failed deliveries of active endpoints; a replay does not change pending ones',
    );

const deliveryFilterOf = (options: DeliveryFilterOptions): DeliverySearch => {
  const { type: eventType, status, answer, creator: creatorId, event: eventId, from, to, undelivered } = options;
  return { eventType, status, answer, creatorId, eventId, from, to, undelivered };
};

/** The same replay as the dashboard's "Replay all matching", for one endpoint. */
export const replayCommands = (webhooks: Command, register: Register): void => {
  register(
    withDeliveryFilters(
      webhooks
        .command('replay-all <whe_id>')
        .description('replay all matching deliveries, a few at a time; a worker does this'),
    ),
    async ({ commands, runners }, options: DeliveryFilterOptions, id) => {
      const command = new RequestReplay(endpointOf(id), deliveryFilterOf(options), operatorContext());
      return publicReplay(await runners.withAllReadModels(() => commands.execute(command)));
    },
  );
  register(
    webhooks.command('replay-progress <whe_id>').description("show the progress of an endpoint's latest replay"),
    async ({ queries }, _options, id) => publicReplay(await queries.execute(new GetReplay(endpointOf(id)))),
  );
  register(
    webhooks.command('replay-end <whe_id>').description('end a replay; pending deliveries are still sent'),
    async ({ commands }, _options, id) =>
      publicReplay(await commands.execute(new EndReplay(endpointOf(id), operatorContext()))),
  );
};

interface DeliveriesOptions extends OfAgency, DeliveryFilterOptions {
  readonly endpoint?: WebhookEndpointId;
  readonly limit: number;
}

const MAX_LISTED = 10_000;

/** The same list as on the dashboard's Deliveries page. */
export const deliveryCommands = (webhooks: Command, register: Register): void =>
  register(
    withDeliveryFilters(
      withAgency(webhooks.command('deliveries').description("list an agency's deliveries, newest first")).option(
        '--endpoint <whe_id>',
        'to one endpoint',
        endpointOf,
      ),
    ).option('--limit <n>', 'the maximum number of rows', asLimit, 1_000),
    listDeliveries,
  );

const asLimit = (text: string): number => {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LISTED) return limit;
  throw invalidRequest({ field: 'limit', message: `must be a number from 1 to ${MAX_LISTED}` });
};

const listDeliveries = async (
  { queries, runners }: Operator,
  { agency, endpoint: endpointId, limit, ...options }: DeliveriesOptions,
) => {
  const filter = { ...deliveryFilterOf(options), endpointId };
  // Only the operator waits for the answer, so the search runs until the deliveries end.
  const query = new SearchDeliveries(agency, filter, limit, undefined, Number.POSITIVE_INFINITY);
  const search = () => queries.execute(query);
  const { deliveries } = await (readsFeedIndex(filter)
    ? runners.withAllReadModels(search)
    : runners.withReadModels(search));
  return deliveries.map(publicDelivery);
};
