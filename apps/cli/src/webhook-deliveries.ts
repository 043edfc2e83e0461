import type { Command } from 'commander';
import { invalidRequest, type WebhookEndpointId } from '#kernel';
import { publicDelivery, readsFeedIndex, SearchDeliveries } from '#webhooks';
import { endpointOf, type OfAgency, withAgency } from './arguments.js';
import { type DeliveryFilterOptions, deliveryFilterOf, withDeliveryFilters } from './delivery-filter-options.js';
import type { Operator } from './operator.js';
import type { Register } from './register.js';

interface DeliveriesOptions extends OfAgency, DeliveryFilterOptions {
  readonly endpoint?: WebhookEndpointId;
  readonly limit: number;
}

const MAX_LISTED = 10_000;

/** What the dashboard's page Deliveries lists. */
export const deliveryCommands = (webhooks: Command, register: Register): void =>
  register(
    withDeliveryFilters(
      withAgency(webhooks.command('deliveries').description("list an agency's deliveries, the newest first")).option(
        '--endpoint <whe_id>',
        'to one endpoint',
        endpointOf,
      ),
    ).option('--limit <n>', 'the most rows to show', asLimit, 1_000),
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
  // Nobody waits for the answer but the operator, so the search ends where the deliveries do.
  const query = new SearchDeliveries(agency, filter, limit, undefined, Number.POSITIVE_INFINITY);
  const search = () => queries.execute(query);
  const { deliveries } = await (readsFeedIndex(filter)
    ? runners.withAllReadModels(search)
    : runners.withReadModels(search));
  return deliveries.map(publicDelivery);
};
