import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import { type AgencyId, type CommandContext, newId } from '#kernel';
import type { ChosenTypes } from '../domain/webhook-endpoint.events.js';
import { type RegisteredEndpoint, registerEndpoint, requireRegistered } from '../domain/webhook-endpoint.js';
import { EndpointLimits } from './endpoint-limits.js';
import { newWebhookSecret, SecretCipher } from './secret-cipher.js';
import { SecretReencryption } from './secret-reencryption.js';
import { requireAllowed, TargetPolicy } from './target-policy.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

interface RegisterEndpointResult {
  readonly endpoint: RegisteredEndpoint;
  /** The secret is only here; the log has it encrypted. */
  readonly secret: string;
}

/** D19, D59: after the checks of a binding, and only for a URL that deliveries may go to. */
export class RegisterEndpoint extends Command<RegisterEndpointResult> {
  constructor(
    readonly agencyId: AgencyId,
    readonly url: string,
    readonly context: CommandContext,
    readonly types: ChosenTypes = null,
  ) {
    super();
  }
}

@CommandHandler(RegisterEndpoint)
export class RegisterEndpointHandler implements ICommandHandler<RegisterEndpoint> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly access: AgencyAccess,
    private readonly targets: TargetPolicy,
    private readonly cipher: SecretCipher,
    private readonly secrets: SecretReencryption,
    private readonly limits: EndpointLimits,
  ) {}

  async execute({ agencyId, url, types, context }: RegisterEndpoint): Promise<RegisterEndpointResult> {
    const { binding } = await this.access.verify(agencyId);
    const { workspaceId, epoch } = binding;
    await this.limits.requireRoomForNew(binding);
    await requireAllowed(this.targets, url);
    const endpointId = newId('webhookEndpoint');
    const secret = newWebhookSecret();
    await this.cipher.refresh();
    const encryptedSecret = this.cipher.encrypt({ endpointId, url }, secret);
    const registration = { endpointId, agencyId, workspaceId, epoch, url, types, encryptedSecret };
    const recorded = await this.endpoints.update(
      this.endpoints.assumeNew(endpointId),
      { ...context, workspaceId },
      (endpoint) => registerEndpoint(endpoint, registration),
    );
    const endpoint = requireRegistered(recorded.state);
    await this.secrets.completeRotation({ ...recorded, state: endpoint }, context);
    return { endpoint, secret };
  }
}
