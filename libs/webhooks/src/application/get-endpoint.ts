import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { WebhookEndpointId } from '#kernel';
import type { RegisteredEndpoint } from '../domain/webhook-endpoint.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** An endpoint's present state, with the result of its latest test. */
export class GetEndpoint extends Query<RegisteredEndpoint> {
  constructor(readonly endpointId: WebhookEndpointId) {
    super();
  }
}

@QueryHandler(GetEndpoint)
export class GetEndpointHandler implements IQueryHandler<GetEndpoint> {
  constructor(private readonly endpoints: WebhookEndpointRepository) {}

  async execute({ endpointId }: GetEndpoint): Promise<RegisteredEndpoint> {
    return (await this.endpoints.find(endpointId)).state;
  }
}
