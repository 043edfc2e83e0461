import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AgencyId, Instant } from '#kernel';
import { DeliveryList } from './delivery-list.js';

/** When the first of the deliveries that were delivered was, in the order of the feed; null before any was. */
export class FirstDelivered extends Query<Instant | null> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(FirstDelivered)
export class FirstDeliveredHandler implements IQueryHandler<FirstDelivered> {
  constructor(private readonly deliveries: DeliveryList) {}

  async execute({ agencyId }: FirstDelivered): Promise<Instant | null> {
    const first = await this.deliveries.first(agencyId, 'delivered');
    return first?.at ?? null;
  }
}
