import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import type { AgencyId } from '#kernel';
import { requireComplete, SetAsideList } from '#projections';
import { type EndpointDocument, EndpointList, endpointListProjection } from './endpoint-list.js';

/** The endpoints of a bound agency, oldest first. */
export class ListEndpoints extends Query<readonly EndpointDocument[]> {
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

  async execute({ agencyId }: ListEndpoints): Promise<readonly EndpointDocument[]> {
    const { workspaceId } = await this.queries.execute(new GetBinding(agencyId));
    const endpoints = await this.endpoints.ofAgency(agencyId);
    await requireComplete(this.setAsides, workspaceId, [endpointListProjection.name]);
    return endpoints;
  }
}
