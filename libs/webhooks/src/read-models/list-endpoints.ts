import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import type { AgencyId } from '#kernel';
import { requireComplete, SetAsideList } from '#projections';
import { type EndpointDocument, EndpointList, endpointListProjection } from './endpoint-list.js';

/** D100: nothing is sent to an endpoint of an earlier binding; its document remains active until somebody disables it. */
export interface ListedEndpoint extends Omit<EndpointDocument, 'status'> {
  readonly status: EndpointDocument['status'] | 'earlier_binding';
}

/** The endpoints of a bound agency, oldest first. */
export class ListEndpoints extends Query<readonly ListedEndpoint[]> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(ListEndpoints)
export class ListEndpointsHandler implements IQueryHandler<ListEndpoints> {
  constructor(
    private readonly endpoints: EndpointList,
    private readonly queries: QueryBus,
    private readonly setAsides: SetAsideList,
  ) {}

  async execute({ agencyId }: ListEndpoints): Promise<readonly ListedEndpoint[]> {
    const { workspaceId, epoch } = await this.queries.execute(new GetBinding(agencyId));
    const endpoints = await this.endpoints.ofAgency(agencyId);
    await requireComplete(this.setAsides, workspaceId, [endpointListProjection.name]);
    return endpoints.map((endpoint) => {
      const isEarlier = endpoint.status === 'active' && endpoint.epoch < epoch;
      return isEarlier ? { ...endpoint, status: 'earlier_binding' } : endpoint;
    });
  }
}
