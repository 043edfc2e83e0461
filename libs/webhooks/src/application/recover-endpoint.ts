import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Instant, WebhookEndpointId } from '#kernel';
import { requireActive } from '../domain/webhook-endpoint.js';
import { DeliveryList } from '../read-models/delivery-list.js';
import { ReplayDelivery } from './replay-delivery.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

interface RecoverEndpointResult {
  readonly replayed: number;
}

/** Replays the deliveries to an endpoint that have failed for good, at that time or later, as the read model shows them. */
export class RecoverEndpoint extends Command<RecoverEndpointResult> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly since: Instant,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RecoverEndpoint)
export class RecoverEndpointHandler implements ICommandHandler<RecoverEndpoint> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: DeliveryList,
    private readonly commands: CommandBus,
  ) {}

  async execute({ endpointId, since, context }: RecoverEndpoint): Promise<RecoverEndpointResult> {
    requireActive((await this.endpoints.load(endpointId)).state);
    let replayed = 0;
    for await (const ids of this.deliveries.failedSince(endpointId, since)) {
      await Promise.all(ids.map((id) => this.commands.execute(new ReplayDelivery(id, context))));
      replayed += ids.length;
    }
    return { replayed };
  }
}
