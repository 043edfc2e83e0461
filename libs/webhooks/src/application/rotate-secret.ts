import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import type { CommandContext, Duration, WebhookEndpointId } from '#kernel';
import { rotateSecret } from '../domain/webhook-endpoint.js';
import { requirePresentBinding } from './present-binding.js';
import { newWebhookSecret, SecretCipher } from './secret-cipher.js';
import { SecretReencryption } from './secret-reencryption.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

interface RotateSecretResult {
  /** The secret is only here; the log has it encrypted. */
  readonly secret: string;
}

/** Replaces an endpoint's signing secret. During the overlap the previous one signs too (D61). */
export class RotateSecret extends Command<RotateSecretResult> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly overlap: Duration,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RotateSecret)
export class RotateSecretHandler implements ICommandHandler<RotateSecret> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly cipher: SecretCipher,
    private readonly secrets: SecretReencryption,
    private readonly queries: QueryBus,
  ) {}

  async execute({ endpointId, overlap, context }: RotateSecret): Promise<RotateSecretResult> {
    const secret = newWebhookSecret();
    await this.cipher.refresh();
    const endpoint = await this.endpoints.find(endpointId);
    await requirePresentBinding(this.queries, endpoint.state);
    const encryptedSecret = this.cipher.encrypt(endpoint.state, secret);
    const rotated = await this.endpoints.change(endpoint, context, (state, now) =>
      rotateSecret(state, { encryptedSecret, overlap }, now),
    );
    await this.secrets.completeRotation(rotated, context);
    return { secret };
  }
}
