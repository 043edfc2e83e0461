import type { Command } from 'commander';
import { type AgencyId, invalidRequest, type WebhookEndpointId } from '#kernel';
import { DELIVERY_STATUSES, type DeliverySearch, ListDeliveries, publicDelivery, SearchDeliveries } from '#webhooks';
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
    async (operator, { agency, endpoint: endpointId, limit, ...options }: DeliveriesOptions) => {
      const found = await foundBy(operator, agency, { ...deliveryFilterOf(options), endpointId }, limit);
      return found.map(publicDelivery);
    },
  );

const asLimit = (text: string): number => {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LISTED) return limit;
  throw invalidRequest({ field: 'limit', message: `must be a number from 1 to ${MAX_LISTED}` });
};

/** By the status alone one index has them, which needs no read model of the dashboard. */
const foundBy = async ({ queries, runners }: Operator, agency: AgencyId, filter: DeliverySearch, most: number) => {
  const { status, ...others } = filter;
  if (Object.values(others).every((value) => value === undefined)) {
    const list = new ListDeliveries(agency, status === undefined ? DELIVERY_STATUSES : [status], most);
    return runners.withReadModels(() => queries.execute(list));
  }
  // Nobody waits for the answer but the operator, so the search ends where the deliveries do.
  const search = new SearchDeliveries(agency, filter, most, undefined, Number.POSITIVE_INFINITY);
  const { deliveries } = await runners.withAllReadModels(() => queries.execute(search));
  return deliveries;
};
