import { Command } from '@nestjs/cqrs';
import type { CommandContext, WebhookEndpointId } from '#kernel';

/** A command that names only its endpoint. */
export abstract class EndpointCommand<Result> extends Command<Result> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly context: CommandContext,
  ) {
    super();
  }
}
