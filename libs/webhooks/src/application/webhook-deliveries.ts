import { Injectable } from '@nestjs/common';
import { type CommandContext, CommandRunner, type WebhookDeliveryId } from '#kernel';
import {
  replayDelivery,
  requireKnown,
  type WebhookDelivery,
  webhookDeliveryDecider,
} from '../domain/webhook-delivery.js';
import { requireActive, webhookEndpointDecider } from '../domain/webhook-endpoint.js';

/** What operators do with deliveries, always in the workspace of the delivery's agency. */
@Injectable()
export class WebhookDeliveries {
  constructor(private readonly runner: CommandRunner) {}

  /**
   * D62: up to five new attempts for one that has been settled; one that is pending is left as it is. Refused for a
   * disabled endpoint, to which nothing is sent.
   */
  async replay(deliveryId: WebhookDeliveryId, context: CommandContext): Promise<WebhookDelivery> {
    const { endpointId, workspaceId } = requireKnown(
      (await this.runner.load(webhookDeliveryDecider, deliveryId)).state,
    );
    requireActive((await this.runner.load(webhookEndpointDecider, endpointId)).state);
    return (await this.runner.run(webhookDeliveryDecider, deliveryId, { ...context, workspaceId }, replayDelivery))
      .state;
  }
}
