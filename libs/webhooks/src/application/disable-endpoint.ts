import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { disableEndpoint, type RegisteredEndpoint } from '../domain/webhook-endpoint.js';
import { EndpointCommand } from './endpoint-command.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** Stops deliveries to an endpoint; its pending ones fail (D82). */
export class DisableEndpoint extends EndpointCommand<RegisteredEndpoint> {}

@CommandHandler(DisableEndpoint)
export class DisableEndpointHandler implements ICommandHandler<DisableEndpoint> {
  constructor(private readonly endpoints: WebhookEndpointRepository) {}

  async execute({ endpointId, context }: DisableEndpoint): Promise<RegisteredEndpoint> {
    const endpoint = await this.endpoints.find(endpointId);
    return (await this.endpoints.change(endpoint, context, disableEndpoint)).state;
  }
}
