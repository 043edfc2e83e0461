import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import type { AgencyId } from '#kernel';
import { type EndpointDocument, EndpointList } from './endpoint-list.js';

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
  ) {}

  async execute({ agencyId }: ListEndpoints): Promise<readonly EndpointDocument[]> {
    await this.queries.execute(new GetBinding(agencyId));
    return this.endpoints.ofAgency(agencyId);
  }
}
