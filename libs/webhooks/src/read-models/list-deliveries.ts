import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import type { AgencyId } from '#kernel';
import { requireComplete, SetAsideList } from '#projections';
import type { DeliveryStatus } from '../domain/delivery-status.js';
import { WEBHOOK_SCHEDULING } from '../domain/webhook-delivery.js';
import { type DeliveryDocument, DeliveryList, deliveryListProjection } from './delivery-list.js';

/** Deliveries of a bound agency with one of the statuses, newest first by the order of their events in the feed. */
export class ListDeliveries extends Query<readonly DeliveryDocument[]> {
  constructor(
    readonly agencyId: AgencyId,
    readonly statuses: readonly DeliveryStatus[],
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(
    private readonly deliveries: DeliveryList,
    private readonly queries: QueryBus,
    private readonly setAsides: SetAsideList,
  ) {}

  async execute({ agencyId, statuses, limit }: ListDeliveries): Promise<readonly DeliveryDocument[]> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const deliveries = await this.deliveries.ofAgency(agencyId, statuses, limit);
    await requireComplete(this.setAsides, workspaceId, [deliveryListProjection.name, WEBHOOK_SCHEDULING]);
    return deliveries;
  }
}
