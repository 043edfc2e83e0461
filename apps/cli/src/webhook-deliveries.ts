import { type Command, Option } from 'commander';
import { type AgencyId, agencyId, invalidRequest, NEVER } from '#kernel';
import { DELIVERY_STATUSES, type DeliveryFilter, ListDeliveries, SearchDeliveries } from '#webhooks';
import { type DeliveryFilterOptions, deliveryFilterOf, withDeliveryFilters } from './delivery-filter-options.js';
import type { Operator } from './operator.js';
import type { Register } from './register.js';
import { endpointOf } from './webhook-options.js';

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
  return found.map((delivery) => ({
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    next_attempt_at: delivery.status === 'pending' && delivery.at < NEVER ? delivery.at : null,
  }));
};

/** By the status alone one index has them, which needs no read model of the dashboard. */
const foundBy = async ({ queries, runners }: Operator, agency: AgencyId, filter: DeliveryFilter, most: number) => {
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
