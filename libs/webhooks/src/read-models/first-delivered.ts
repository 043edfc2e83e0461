import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AgencyId } from '#kernel';
import { type DeliveryDocument, DeliveryList } from './delivery-list.js';

/** Of the agency's deliveries that were delivered, that of the earliest event in the feed. */
export class FirstDelivered extends Query<DeliveryDocument | undefined> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(FirstDelivered)
export class FirstDeliveredHandler implements IQueryHandler<FirstDelivered> {
  constructor(private readonly deliveries: DeliveryList) {}

  execute({ agencyId }: FirstDelivered): Promise<DeliveryDocument | undefined> {
    return this.deliveries.first(agencyId, 'delivered');
  }
}
