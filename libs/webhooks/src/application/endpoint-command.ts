import { Command } from '@nestjs/cqrs';
import type { CommandContext, WebhookEndpointId } from '#kernel';

/** What needs no more to know than which endpoint it is about. */
export abstract class EndpointCommand<Result> extends Command<Result> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly context: CommandContext,
  ) {
    super();
  }
}
