import type { CommandContext, CommandRunner, WebhookDeliveryId } from '#kernel';
import { replayDelivery, type WebhookDelivery, webhookDeliveryDecider } from './webhook-delivery.js';

/** Deliveries, as the dashboard's operators handle them. */
export class WebhookDeliveries {
  constructor(private readonly runner: CommandRunner) {}

  /** D62: up to five new attempts for one that has been settled; one that is pending is left as it is. */
  async replay(deliveryId: WebhookDeliveryId, context: CommandContext): Promise<WebhookDelivery> {
    return (await this.runner.run(webhookDeliveryDecider, deliveryId, context, replayDelivery)).state;
  }
}
