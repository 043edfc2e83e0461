import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { EventFeedModule } from '#event-feed/module';
import { readModelProvider } from '#projections';
import { CheckSignatureHandler } from './application/check-signature.js';
import {
  ChooseEventTypesHandler,
  DisableEndpointHandler,
  EnableEndpointHandler,
  GetEndpointHandler,
  RegisterEndpointHandler,
  RotateSecretHandler,
} from './application/endpoint-commands.js';
import { EndpointLimits } from './application/endpoint-limits.js';
import { AwaitTestResultHandler, RequestTestHandler, SendPingHandler } from './application/endpoint-test.js';
import { FailPendingDeliveriesHandler } from './application/fail-pending-deliveries.js';
import { GetDeliveryHandler } from './application/get-delivery.js';
import { ReplayDeliveryHandler } from './application/replay-delivery.js';
import {
  AdvanceReplayHandler,
  EndReplayHandler,
  GetReplayHandler,
  ListReplaysHandler,
  RequestReplayHandler,
  WebhookReplayRepository,
} from './application/replays.js';
import { WebhookDeliveryRepository, WebhookEndpointRepository } from './application/repositories.js';
import { SecretReencryption } from './application/secret-cipher.js';
import { SignedSending } from './application/signed-sending.js';
import { DeliveryTasks } from './delivery/delivery-tasks.js';
import { WebhookAttempts } from './delivery/webhook-attempts.js';
import { FailingEndpoints } from './delivery/webhook-scheduling.js';
import { DeliveryList, deliveryListProjection, FirstDeliveredHandler } from './read-models/delivery-list.js';
import { EndpointHealths, endpointHealthProjection } from './read-models/endpoint-health.js';
import { EndpointList, endpointListProjection } from './read-models/endpoint-list.js';
import { MissedEvents, missedEventsProjection } from './read-models/missed-events.js';
import { SearchDeliveriesHandler } from './read-models/search-deliveries.js';
import { ListDisabledSpansHandler, ListEndpointsHandler, ShowEndpointsHandler } from './read-models/show-endpoints.js';
import { webhooksContext } from './webhooks.context.js';

@Module({
  imports: [AgenciesModule, EventFeedModule],
  providers: [
    readModelProvider(EndpointList, endpointListProjection),
    readModelProvider(DeliveryList, deliveryListProjection),
    readModelProvider(EndpointHealths, endpointHealthProjection),
    readModelProvider(MissedEvents, missedEventsProjection),
    WebhookDeliveryRepository,
    WebhookEndpointRepository,
    EndpointLimits,
    SecretReencryption,
    SignedSending,
    RegisterEndpointHandler,
    RotateSecretHandler,
    ChooseEventTypesHandler,
    DisableEndpointHandler,
    EnableEndpointHandler,
    RequestTestHandler,
    SendPingHandler,
    AwaitTestResultHandler,
    GetEndpointHandler,
    ListEndpointsHandler,
    ReplayDeliveryHandler,
    FailPendingDeliveriesHandler,
    FirstDeliveredHandler,
    SearchDeliveriesHandler,
    WebhookReplayRepository,
    RequestReplayHandler,
    AdvanceReplayHandler,
    EndReplayHandler,
    GetReplayHandler,
    ListReplaysHandler,
    GetDeliveryHandler,
    ShowEndpointsHandler,
    ListDisabledSpansHandler,
    CheckSignatureHandler,
    WebhookAttempts,
    DeliveryTasks,
    FailingEndpoints,
    ...Object.values(webhooksContext.consumers),
  ],
  exports: [DeliveryList, SecretReencryption, WebhookAttempts, DeliveryTasks],
})
export class WebhooksModule {}
