import { Injectable } from '@nestjs/common';
import { type CommandContext, type WebhookDeliveryId } from '#kernel';
import { replayDelivery, requireKnown, type WebhookDelivery } from '../domain/webhook-delivery.js';
import { requireActive } from '../domain/webhook-endpoint.js';
import { WebhookDeliveryRepository } from './webhook-delivery.repository.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** What operators do with deliveries, always in the workspace of the delivery's agency. */
@Injectable()
export class WebhookDeliveries {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
  ) {}

  /**
   * D62: up to five new attempts for one that has been settled; one that is pending is left as it is. Refused for a
   * disabled endpoint, to which nothing is sent.
   */
  async replay(deliveryId: WebhookDeliveryId, context: CommandContext): Promise<WebhookDelivery> {
    const delivery = await this.deliveries.load(deliveryId);
    const { endpointId, workspaceId } = requireKnown(delivery.state);
    requireActive((await this.endpoints.load(endpointId)).state);
    return (await this.deliveries.update(delivery, { ...context, workspaceId }, replayDelivery)).state;
  }
}
