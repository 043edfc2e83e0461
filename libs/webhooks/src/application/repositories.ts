import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetBinding, requirePresentEpoch } from '#agencies';
import {
  type CommandContext,
  CommandRunner,
  type Instant,
  type LoadedState,
  Repository,
  repositoryOf,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import { type WebhookDelivery, type WebhookDeliveryEvent, webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import {
  type RegisteredEndpoint,
  requireRegistered,
  type WebhookEndpoint,
  webhookEndpointDecider,
} from '../domain/webhook-endpoint.js';
import { type WebhookReplay, type WebhookReplayEvent, webhookReplayDecider } from '../domain/webhook-replay.js';

export type LoadedEndpoint<State extends WebhookEndpoint = WebhookEndpoint> = LoadedState<State, WebhookEndpointId>;

type FoundEndpoint = LoadedEndpoint<RegisteredEndpoint>;

@Injectable()
export class WebhookEndpointRepository extends Repository<WebhookEndpoint, WebhookEndpointEvent, WebhookEndpointId> {
  constructor(
    runner: CommandRunner,
    private readonly queries: QueryBus,
  ) {
    super(webhookEndpointDecider, runner);
  }

  /** Rejects with `not_found` if it was never registered. */
  async find(endpointId: WebhookEndpointId): Promise<FoundEndpoint> {
    return found(await this.load(endpointId));
  }

  /** D100: nothing is sent to an endpoint of an earlier binding, and the earlier owner may still own the receiver. */
  async findBound(endpointId: WebhookEndpointId, require = requireRegistered): Promise<FoundEndpoint> {
    const endpoint = await this.find(endpointId);
    const { agencyId, epoch } = require(endpoint.state);
    requirePresentEpoch(await this.queries.execute(new GetBinding(agencyId)), epoch);
    return endpoint;
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

export class WebhookDeliveryRepository extends repositoryOf<WebhookDelivery, WebhookDeliveryEvent, WebhookDeliveryId>(
  webhookDeliveryDecider,
) {}
export class WebhookReplayRepository extends repositoryOf<WebhookReplay, WebhookReplayEvent, WebhookEndpointId>(
  webhookReplayDecider,
) {}
