import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import type { CommandContext, WebhookDeliveryId } from '#kernel';
import { replayDelivery, requireKnown, type WebhookDelivery } from '../domain/webhook-delivery.js';
import { requireActive } from '../domain/webhook-endpoint.js';
import { requirePresentBinding } from './endpoint-commands.js';
import { WebhookDeliveryRepository, WebhookEndpointRepository } from './repositories.js';

/** D62: up to five new attempts; a pending one does not change. Refused where nothing would be sent. */
export class ReplayDelivery extends Command<WebhookDelivery> {
  constructor(
    readonly deliveryId: WebhookDeliveryId,
    readonly context: CommandContext,
    /** The number of the endpoint's replay that has chosen it; a repeat changes nothing. */
    readonly replay?: number,
  ) {
    super();
  }
}

@CommandHandler(ReplayDelivery)
export class ReplayDeliveryHandler implements ICommandHandler<ReplayDelivery> {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly queries: QueryBus,
  ) {}

  async execute({ deliveryId, context, replay }: ReplayDelivery): Promise<WebhookDelivery> {
    const delivery = await this.deliveries.load(deliveryId);
    const { endpointId, workspaceId } = requireKnown(delivery.state);
    const endpoint = requireActive((await this.endpoints.load(endpointId)).state);
    await requirePresentBinding(this.queries, endpoint);
    const decide = (state: WebhookDelivery) => replayDelivery(state, replay);
    return (await this.deliveries.update(delivery, { ...context, workspaceId }, decide)).state;
  }
}
