import { type Command, Option } from 'commander';
import { agencyId, invalidRequest } from '#kernel';
import { publicDelivery, readsFeedIndex, SearchDeliveries } from '#webhooks';
import { type DeliveryFilterOptions, deliveryFilterOf, withDeliveryFilters } from './delivery-filter-options.js';
import { endpointOf } from './id-argument.js';
import type { Operator } from './operator.js';
import type { Register } from './register.js';

interface DeliveriesOptions extends DeliveryFilterOptions {
  readonly agency: string;
  readonly endpoint?: string;
  readonly limit: string;
}

const MAX_LISTED = 10_000;

/** What the dashboard's page Deliveries lists. */
export const deliveryCommands = (webhooks: Command, register: Register): void =>
  register(
    withDeliveryFilters(
      webhooks
        .command('deliveries')
        .description("list an agency's deliveries, the newest first")
        .requiredOption('--agency <id>', "the platform's agency id")
        .option('--endpoint <whe_id>', 'to one endpoint'),
    ).addOption(new Option('--limit <n>', 'the most rows to show').default('1000')),
    (options: DeliveriesOptions) => (operator) => listDeliveries(operator, options),
  );

const listDeliveries = async (operator: Operator, { agency, endpoint, limit, ...options }: DeliveriesOptions) => {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > MAX_LISTED) {
    throw invalidRequest({ field: 'limit', message: `must be a number from 1 to ${MAX_LISTED}` });
  }
  const endpointId = endpoint === undefined ? undefined : endpointOf(endpoint);
  const filter = { ...deliveryFilterOf(options), endpointId };
  // Nobody waits for the answer but the operator, so the search ends where the deliveries do.
  const query = new SearchDeliveries(agencyId(agency), filter, most, undefined, Number.POSITIVE_INFINITY);
  const search = () => operator.queries.execute(query);
  const { runners } = operator;
  const { deliveries } = await (readsFeedIndex(filter)
    ? runners.withAllReadModels(search)
    : runners.withReadModels(search));
  return deliveries.map(publicDelivery);
};
