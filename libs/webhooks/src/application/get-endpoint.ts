import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, DomainError, type WebhookEndpointId } from '#kernel';
import type { RegisteredEndpoint } from '../domain/webhook-endpoint.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** An endpoint's present state, with the result of its latest test. Rejects with `not_found` for another agency's. */
export class GetEndpoint extends Query<RegisteredEndpoint> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly agencyId?: AgencyId,
  ) {
    super();
  }
}

@QueryHandler(GetEndpoint)
export class GetEndpointHandler implements IQueryHandler<GetEndpoint> {
  constructor(private readonly endpoints: WebhookEndpointRepository) {}

  async execute({ endpointId, agencyId }: GetEndpoint): Promise<RegisteredEndpoint> {
    const { state } = await this.endpoints.find(endpointId);
    if (agencyId !== undefined && state.agencyId !== agencyId) throw new DomainError('not_found');
    return state;
  }
}
