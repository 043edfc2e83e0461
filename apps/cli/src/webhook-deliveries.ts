import { type Command, Option } from 'commander';
import { type AgencyId, agencyId, invalidRequest } from '#kernel';
import { DELIVERY_STATUSES, type DeliverySearch, ListDeliveries, publicDelivery, SearchDeliveries } from '#webhooks';
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
  const found = await foundBy(operator, agencyId(agency), { ...deliveryFilterOf(options), endpointId }, most);
  return found.map(publicDelivery);
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
