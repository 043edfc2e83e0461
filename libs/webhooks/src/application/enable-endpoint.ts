import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess, requirePresentEpoch } from '#agencies';
import { enableEndpoint, type RegisteredEndpoint } from '../domain/webhook-endpoint.js';
import { EndpointCommand } from './endpoint-command.js';
import { EndpointLimits } from './endpoint-limits.js';
import { requireAllowed, TargetPolicy } from './target-policy.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** D82: with the same id, URL and secrets, after the checks of registration. One of an earlier binding stays disabled. */
export class EnableEndpoint extends EndpointCommand<RegisteredEndpoint> {}

@CommandHandler(EnableEndpoint)
export class EnableEndpointHandler implements ICommandHandler<EnableEndpoint> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly access: AgencyAccess,
    private readonly targets: TargetPolicy,
    private readonly limits: EndpointLimits,
  ) {}

  async execute({ endpointId, context }: EnableEndpoint): Promise<RegisteredEndpoint> {
    const endpoint = await this.endpoints.find(endpointId);
    const { agencyId, epoch, url, status } = endpoint.state;
    const { binding } = await this.access.verify(agencyId);
    requirePresentEpoch(binding, epoch);
    if (status === 'disabled') await this.limits.requireRoomForActive(binding);
    await requireAllowed(this.targets, url);
    return (await this.endpoints.change(endpoint, context, enableEndpoint)).state;
  }
}
