import { Injectable } from '@nestjs/common';
import {
  type CommandContext,
  CommandRunner,
  type Instant,
  type LoadedState,
  Repository,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import { type WebhookDelivery, webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import {
  type RegisteredEndpoint,
  requireRegistered,
  type WebhookEndpoint,
  webhookEndpointDecider,
} from '../domain/webhook-endpoint.js';

export type LoadedEndpoint<State extends WebhookEndpoint = WebhookEndpoint> = LoadedState<State, WebhookEndpointId>;

export type FoundEndpoint = LoadedEndpoint<RegisteredEndpoint>;

@Injectable()
export class WebhookEndpointRepository extends Repository<WebhookEndpoint, WebhookEndpointEvent, WebhookEndpointId> {
  constructor(runner: CommandRunner) {
    super(webhookEndpointDecider, runner);
  }

  /** Rejects with `not_found` if it was never registered. */
  async find(endpointId: WebhookEndpointId): Promise<FoundEndpoint> {
    return found(await this.load(endpointId));
  }

  async change(
    endpoint: FoundEndpoint,
    context: CommandContext,
    decide: (state: WebhookEndpoint, now: Instant) => WebhookEndpointEvent[],
  ): Promise<FoundEndpoint> {
    const { workspaceId } = endpoint.state;
    return found(await this.update(endpoint, { ...context, workspaceId }, decide));
  }
}

const found = (endpoint: LoadedEndpoint): FoundEndpoint => ({ ...endpoint, state: requireRegistered(endpoint.state) });

export type LoadedDelivery<State extends WebhookDelivery = WebhookDelivery> = LoadedState<State, WebhookDeliveryId>;

@Injectable()
export class WebhookDeliveryRepository extends Repository<WebhookDelivery, WebhookDeliveryEvent, WebhookDeliveryId> {
  constructor(runner: CommandRunner) {
    super(webhookDeliveryDecider, runner);
  }
}
