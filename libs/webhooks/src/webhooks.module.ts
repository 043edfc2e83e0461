import { Module } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { AgenciesModule } from '#agencies/module';
import { EventFeedModule } from '#event-feed/module';
import { Clock, provided, repositoryProvider } from '#kernel';
import { ReadModels, readModelProvider } from '#projections';
import { CheckSignatureHandler } from './application/check-signature.js';
import {
  ChooseEventTypesHandler,
  DisableEndpointHandler,
  EnableEndpointHandler,
  GetEndpointHandler,
  RegisterEndpointHandler,
  RotateSecretHandler,
} from './application/endpoint-commands.js';
import { SendPingHandler, TestEndpointHandler } from './application/endpoint-test.js';
import { FailPendingDeliveriesHandler } from './application/fail-pending-deliveries.js';
import { GetDeliveryHandler } from './application/get-delivery.js';
import {
  AdvanceReplayHandler,
  EndReplayHandler,
  GetReplayHandler,
  ListReplaysHandler,
  ReplayDeliveryHandler,
  RequestReplayHandler,
} from './application/replays.js';
import {
  WebhookDeliveryRepository,
  WebhookEndpointRepository,
  WebhookReplayRepository,
} from './application/repositories.js';
import { SecretReencryption } from './application/secret-cipher.js';
import { SignedSending } from './application/signed-sending.js';
import { DeliveryTasks } from './delivery/delivery-tasks.js';
import { WebhookAttempts } from './delivery/webhook-attempts.js';
import { DeliveryList, deliveryListProjection } from './read-models/delivery-list.js';
import { endpointHealthProjection, ShowEndpointsHandler } from './read-models/endpoint-health.js';
import { EndpointList, endpointListProjection, ListEndpointsHandler } from './read-models/endpoint-list.js';
import { ListDisabledSpansHandler, missedEventsProjection } from './read-models/missed-events.js';
import { SearchDeliveriesHandler } from './read-models/search-deliveries.js';
import { webhooksContext } from './webhooks.context.js';

@Module({
  imports: [AgenciesModule, EventFeedModule],
  providers: [
    readModelProvider(EndpointList, endpointListProjection),
    readModelProvider(DeliveryList, deliveryListProjection),
    provided(
      ShowEndpointsHandler,
      [ReadModels, Clock],
      (models, clock) => new ShowEndpointsHandler(models.of(endpointHealthProjection), clock),
    ),
    provided(
      ListDisabledSpansHandler,
      [ReadModels, QueryBus],
      (models, queries) => new ListDisabledSpansHandler(models.of(missedEventsProjection), queries),
    ),
    repositoryProvider(WebhookDeliveryRepository),
    WebhookEndpointRepository,
    SecretReencryption,
    SignedSending,
    RegisterEndpointHandler,
    RotateSecretHandler,
    ChooseEventTypesHandler,
    DisableEndpointHandler,
    EnableEndpointHandler,
    TestEndpointHandler,
    SendPingHandler,
    GetEndpointHandler,
    ListEndpointsHandler,
    ReplayDeliveryHandler,
    FailPendingDeliveriesHandler,
    SearchDeliveriesHandler,
    repositoryProvider(WebhookReplayRepository),
    RequestReplayHandler,
    AdvanceReplayHandler,
    EndReplayHandler,
    GetReplayHandler,
    ListReplaysHandler,
    GetDeliveryHandler,
    CheckSignatureHandler,
    WebhookAttempts,
    DeliveryTasks,
    ...Object.values(webhooksContext.consumers),
  ],
  exports: [DeliveryList, SecretReencryption, WebhookAttempts, DeliveryTasks],
})
export class WebhooksModule {}
