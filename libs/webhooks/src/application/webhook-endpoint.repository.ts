import { Injectable } from '@nestjs/common';
import { CommandRunner, type LoadedState, Repository, type WebhookEndpointId } from '#kernel';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { type WebhookEndpoint, webhookEndpointDecider } from '../domain/webhook-endpoint.js';

export type LoadedEndpoint<State extends WebhookEndpoint = WebhookEndpoint> = LoadedState<State, WebhookEndpointId>;

@Injectable()
export class WebhookEndpointRepository extends Repository<WebhookEndpoint, WebhookEndpointEvent, WebhookEndpointId> {
  constructor(runner: CommandRunner) {
    super(webhookEndpointDecider, runner);
  }
}
