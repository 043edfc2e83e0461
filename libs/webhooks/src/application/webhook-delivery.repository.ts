import { Injectable } from '@nestjs/common';
import { CommandRunner, type LoadedState, Repository, type WebhookDeliveryId } from '#kernel';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import { type WebhookDelivery, webhookDeliveryDecider } from '../domain/webhook-delivery.js';

export type LoadedDelivery<State extends WebhookDelivery = WebhookDelivery> = LoadedState<State, WebhookDeliveryId>;

@Injectable()
export class WebhookDeliveryRepository extends Repository<WebhookDelivery, WebhookDeliveryEvent, WebhookDeliveryId> {
  constructor(runner: CommandRunner) {
    super(webhookDeliveryDecider, runner);
  }
}
