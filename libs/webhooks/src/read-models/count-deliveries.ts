import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { AgencyId } from '#kernel';
import type { MatchCount } from '../domain/webhook-replay.events.js';
import { type DeliverySearch, SearchDeliveries } from './search-deliveries.js';

/** Counts stop here. */
const MAX_COUNTED = 10_000;

/** How many deliveries match, up to 10,000. */
export class CountDeliveries extends Query<MatchCount> {
  constructor(
    readonly agencyId: AgencyId,
    readonly filter: DeliverySearch,
  ) {
    super();
  }
}

@QueryHandler(CountDeliveries)
export class CountDeliveriesHandler implements IQueryHandler<CountDeliveries> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ agencyId, filter }: CountDeliveries): Promise<MatchCount> {
    const search = new SearchDeliveries(agencyId, filter, MAX_COUNTED, undefined, MAX_COUNTED);
    const { deliveries, next } = await this.queries.execute(search);
    return { count: deliveries.length, isMore: next !== null };
  }
}
